import { day } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import type { Connector } from "./types.ts";

/** What to do while the last certificate of a provider of SAML is at its end; nothing where the next one is there. */
export function CertificateEnd({ connector, onOpen }: { connector: Connector; onOpen: () => void }) {
  const { saml } = connector;
  const [last] = (saml?.certificates ?? []).toSorted((a, b) => b.expires_at.localeCompare(a.expires_at));
  if (saml === null || last === undefined || last.state === "ok") return null;
  const hasEnded = last.state === "expired";
  const follows = saml.metadata_url !== null && saml.metadata_problem === null;
  return (
    <Banner
      state={hasEnded ? "crit" : "warn"}
      action={
        <Button size="sm" onClick={onOpen}>
          {follows ? "See the certificates" : "Add the next certificate"}
        </Button>
      }
    >
      The certificate of {connector.name} {hasEnded ? "ended" : "ends"} on {day(last.expires_at)}. People get in until
      the provider signs with another one.{" "}
      {follows
        ? "Its metadata is looked at once a day and has no other yet: ask whoever runs the provider when it comes."
        : "Get the next one from the provider and add it here: both are believed."}
    </Banner>
  );
}
