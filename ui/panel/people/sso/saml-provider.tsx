import { useState } from "preact/hooks";
import { Button } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { Checkbox } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { Status } from "../../../kit/status.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { Refusal } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { useProof } from "../factors/use-proof.tsx";
import { DeleteConnector } from "./delete-connector.tsx";
import { SamlAddresses } from "./saml-addresses.tsx";
import { type Pin, SamlCertificates } from "./saml-certificates.tsx";
import { type Description, SamlMetadata } from "./saml-metadata.tsx";
import { type Connector, inputOf, type Saml, samlInputOf } from "./types.ts";

/** What a provider of SAML has to know, and what is known of it. */
export function SamlProvider({
  connector,
  saml,
  onSaved,
  onChanged,
}: {
  connector: Connector;
  saml: Saml;
  onSaved: () => Promise<void>;
  onChanged: () => Promise<void>;
}) {
  const [name, setName] = useState(connector.name);
  const [issuer, setIssuer] = useState(connector.issuer);
  const [signOn, setSignOn] = useState(saml.sign_on_url ?? "");
  const [metadataUrl, setMetadataUrl] = useState(saml.metadata_url);
  const [pins, setPins] = useState<Pin[]>(saml.certificates);
  const [email, setEmail] = useState(saml.email_attribute ?? "");
  const [signs, setSigns] = useState(saml.signs_requests);
  const [encrypts, setEncrypts] = useState(saml.takes_encrypted);
  const [isDeleting, setDeleting] = useState(false);
  const attempt = useAttempt();
  const proof = useProof();
  const besides = attempt.besides("name", "issuer", "sign_on_url", "certificates", "email_attribute");

  const take = (found: Description, url: string | null): void => {
    setIssuer(found.issuer);
    setSignOn(found.sign_on_url);
    setPins(found.certificates);
    setMetadataUrl(url);
    if (found.wants_signed_requests) setSigns(true);
    toast("Read. Save it to go on.");
  };
  const send = async (): Promise<void> => {
    const body = {
      ...inputOf(connector),
      ...{ name: name.trim(), issuer: issuer.trim() },
      saml: {
        ...samlInputOf(saml),
        ...{ sign_on_url: signOn.trim() === "" ? null : signOn.trim(), certificates: pins.map(({ pem }) => pem) },
        ...{ metadata_url: metadataUrl, signs_requests: signs, takes_encrypted: encrypts },
        email_attribute: email.trim() === "" ? null : email.trim(),
      },
    };
    await api("PUT /api/sso/connectors/{id}", { path: { id: connector.id }, body });
    toast("Saved.");
    await onSaved();
  };
  const isIncomplete = [name, issuer, signOn].some((text) => text.trim() === "") || pins.length === 0;
  return (
    <>
      <SamlAddresses connector={connector} saml={saml} />
      <Card title="Your provider">
        <form
          class="card-b stack"
          onSubmit={(event) => {
            event.preventDefault();
            void attempt.send(() => proof.tryOut(send));
          }}
        >
          <SamlMetadata url={saml.metadata_url} onFound={take} />
          {saml.metadata_problem !== null && (
            <Status state="warn">The last look at its metadata: {saml.metadata_problem}</Status>
          )}
          <Input
            label="What people call it"
            hint="The page of signing in says “Continue with” and this."
            {...attempt.field("name", name, setName)}
            autocomplete="off"
            required
          />
          <Input
            label="Its name (entity ID)"
            {...attempt.field("issuer", issuer, setIssuer)}
            autocomplete="off"
            required
          />
          <Input
            label="Where people sign in (HTTP-Redirect)"
            {...attempt.field("sign_on_url", signOn, setSignOn)}
            type="url"
            autocomplete="off"
            required
          />
          <SamlCertificates
            pins={pins}
            error={attempt.errorOf("certificates")}
            onPins={attempt.edits("certificates", setPins)}
          />
          <Input
            label="Attribute with the mail address"
            hint="Empty tries the usual names, then the NameID."
            {...attempt.field("email_attribute", email, setEmail)}
            autocomplete="off"
          />
          <Checkbox
            checked={signs}
            onChecked={setSigns}
            sub="The provider checks them by the certificate in our metadata."
          >
            Sign what we ask
          </Checkbox>
          <Checkbox
            checked={encrypts}
            onChecked={setEncrypts}
            sub="Our metadata then has a key to encrypt with. Give it to the provider anew."
          >
            Take encrypted answers
          </Checkbox>
          {besides !== null && <Refusal problem={besides} wait={attempt.wait} />}
          <div class="btns">
            <Button type="submit" kind="primary" busy={attempt.busy} disabled={isIncomplete || attempt.wait > 0}>
              Save and go on
            </Button>
            <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </div>
        </form>
      </Card>
      {isDeleting && <DeleteConnector connector={connector} onDone={onChanged} onClose={() => setDeleting(false)} />}
      {proof.dialog}
    </>
  );
}
