import { day } from "../../../client/format.ts";
import { LinkButton } from "../../../kit/button.tsx";
import { Card } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import type { Connector, Saml } from "./types.ts";

/** What a provider of SAML has to know of this panel. */
export function SamlAddresses({ connector, saml }: { connector: Connector; saml: Saml }) {
  const own = saml.own_certificate;
  return (
    <Card title="What the provider has to know">
      <div class="card-b stack">
        <p class="c2">
          Make an application for SAML 2.0 there and give it these two, or our metadata, which says both.
        </p>
        <div class="field">
          <p class="label">Our name (entity ID, audience)</p>
          <CodeLine text={saml.entity_id} />
        </div>
        <div class="field">
          <p class="label">Where answers come (ACS URL, reply URL, recipient)</p>
          <CodeLine text={saml.acs_url} />
        </div>
        <div class="field">
          <p class="label">Address to begin at, for a tile in its portal</p>
          <CodeLine text={connector.start_url} />
        </div>
        <div class="btns">
          <LinkButton href={saml.entity_id} icon="download">
            Download our metadata
          </LinkButton>
        </div>
        {own !== null && (
          <p class="t13 c3">Our own certificate, which the metadata has, is good until {day(own.expires_at)}.</p>
        )}
      </div>
    </Card>
  );
}
