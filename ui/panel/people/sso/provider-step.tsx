import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import { SegmentedField } from "../../../kit/segmented-field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useProof } from "../factors/use-proof.tsx";
import { DeleteConnector } from "./delete-connector.tsx";
import { protocolNames } from "./place-of.ts";
import { SamlProvider } from "./saml-provider.tsx";
import { type Connector, type ConnectorInput, inputOf } from "./types.ts";

interface Props {
  /** Null while there is none. */
  connector: Connector | null;
  onSaved: () => Promise<void>;
  onChanged: () => Promise<void>;
}

const kinds = [
  { value: "oidc" as const, label: protocolNames.oidc },
  { value: "saml" as const, label: protocolNames.saml },
];

/** Which provider it is, and what it calls this panel. */
export function ProviderStep({ connector, onSaved, onChanged }: Props) {
  if (connector?.saml)
    return (
      <SamlProvider
        key={connector.id}
        connector={connector}
        saml={connector.saml}
        onSaved={onSaved}
        onChanged={onChanged}
      />
    );
  return <OidcProvider connector={connector} onSaved={onSaved} onChanged={onChanged} />;
}

/** What everybody is at first: a viewer, until rules say otherwise. */
const firstRoles = { role_claim: null, role_rules: [], default_role: "org_viewer" } as const;
const firstSaml = {
  ...{ sign_on_url: null, certificates: [], metadata_url: null, email_attribute: null },
  ...{ signs_requests: false, takes_encrypted: false },
};

/** The form for OpenID Connect; before there is a connector also the choice between the two. */
function OidcProvider({ connector, onSaved, onChanged }: Props) {
  const [kind, setKind] = useState<Connector["kind"]>("oidc");
  const [name, setName] = useState(connector?.name ?? "");
  const [issuer, setIssuer] = useState(connector?.issuer ?? "");
  const [client, setClient] = useState(connector?.oidc_client ?? "");
  const [secret, setSecret] = useState("");
  const [isDeleting, setDeleting] = useState(false);
  const attempt = useAttempt();
  const proof = useProof();
  const besides = attempt.besides("name", "issuer", "oidc_client", "client_secret");
  const isSaml = kind === "saml";
  const isIncomplete = (isSaml ? [name] : [name, issuer, client]).some((text) => text.trim() === "");

  const send = async (): Promise<void> => {
    const former: Pick<ConnectorInput, "role_claim" | "role_rules" | "default_role"> =
      connector === null ? { ...firstRoles, role_rules: [] } : inputOf(connector);
    if (connector === null && isSaml) {
      const draft = { ...former, kind, name: name.trim(), issuer: "", saml: firstSaml };
      await api("POST /api/sso/connectors", { body: draft });
      // The same step goes on: it shows now what the provider has to know.
      return onChanged();
    }
    const body: ConnectorInput = {
      ...{ ...former, name: name.trim(), issuer: issuer.trim(), oidc_client: client.trim() },
      ...(secret === "" ? {} : { client_secret: secret }),
    };
    if (connector === null) await api("POST /api/sso/connectors", { body });
    else await api("PUT /api/sso/connectors/{id}", { path: { id: connector.id }, body });
    setSecret("");
    toast("Saved.");
    await onSaved();
  };
  const save = (event: Event): void => {
    event.preventDefault();
    void attempt.send(() => proof.tryOut(send));
  };
  return (
    <>
      <Card title="Your provider">
        <form class="card-b stack" onSubmit={save}>
          {connector === null && (
            <SegmentedField
              label="What it speaks"
              value={kind}
              options={kinds}
              onValue={setKind}
              hint="Most speak both. OpenID Connect is the simpler one."
            />
          )}
          <p class="c2">
            {isSaml
              ? "Give it a name first. Then you see what Entra ID, Okta, Keycloak, ADFS or any other provider of SAML has to know, and give us its metadata."
              : "Make a client for a web application at Entra ID, Okta, Keycloak, Google or any other provider of OpenID Connect, and copy here what it says."}
          </p>
          <Input
            label="What people call it"
            hint="The page of signing in says “Continue with” and this."
            {...attempt.field("name", name, setName)}
            autocomplete="off"
            required
          />
          {!isSaml && (
            <>
              <Input
                label="Address of the provider (issuer)"
                hint="As the provider writes it, such as https://login.example.org/realms/main."
                {...attempt.field("issuer", issuer, setIssuer)}
                type="url"
                autocomplete="off"
                required
              />
              <Input
                label="Client ID"
                {...attempt.field("oidc_client", client, setClient)}
                autocomplete="off"
                required
              />
              <Password
                label="Client secret"
                hint={
                  connector?.has_secret
                    ? "One is kept. Leave this empty to go on with it."
                    : "Leave it empty for a client without."
                }
                {...attempt.field("client_secret", secret, setSecret)}
                autocomplete="off"
              />
            </>
          )}
          {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
          <div class="btns">
            <Button type="submit" kind="primary" busy={attempt.busy} disabled={isIncomplete || attempt.wait > 0}>
              {isSaml ? "Begin" : "Save and go on"}
            </Button>
            {connector !== null && (
              <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
          </div>
        </form>
      </Card>
      {connector !== null && (
        <Card title="What the provider has to know">
          <div class="card-b stack">
            <div class="field">
              <p class="label">Address to come back to (redirect URI)</p>
              <CodeLine text={connector.redirect_uri} />
            </div>
            <div class="field">
              <p class="label">Address to begin at, for a tile in its portal</p>
              <CodeLine text={connector.start_url} />
            </div>
          </div>
        </Card>
      )}
      {connector !== null && isDeleting && (
        <DeleteConnector connector={connector} onDone={onChanged} onClose={() => setDeleting(false)} />
      )}
      {proof.dialog}
    </>
  );
}
