import type { Instance, InstanceApp, NodeFactSheet } from "../../../../../src/panel/fleet/fleet/contract.ts";
import { LinkButton } from "../../../../kit/button.tsx";
import { Banner } from "../../../../kit/card.tsx";
import { may } from "../../../client/permissions.ts";
import { certificateWords, reasonWords } from "../health.ts";
import { appLook } from "./app-look.ts";

interface TroublesProps {
  instance: Instance;
  facts: NodeFactSheet;
  apps: readonly InstanceApp[];
}

/** A certificate that is about to end, then why the node is not well and what to do next, in words. Nothing for one without trouble. */
export function Troubles({ instance, facts, apps }: TroublesProps) {
  const failed = apps.filter(({ status }) => appLook(status).isFailed).map(({ name }) => name);
  const reasons = instance.degraded_reasons.map((reason) => reasonWords(reason, instance, failed));
  const certificate = certificateWords(facts.certificate_expires_at, Date.now());
  // A node whose certificate has ended is silent because of that, whatever else could keep one silent.
  const step = certificate?.state === "crit" ? undefined : reasons[0]?.step;
  return (
    <>
      <Certificate words={certificate} />
      {reasons.length > 0 && (
        <Banner state={instance.health === "offline" ? "crit" : "warn"}>
          {reasons.map(({ long }) => (
            <b key={long} class="w6">
              {long}.{" "}
            </b>
          ))}
          {step}
        </Banner>
      )}
    </>
  );
}

function Certificate({ words }: { words: ReturnType<typeof certificateWords> }) {
  if (words === null || words.state === "ok") return null;
  if (words.state === "crit")
    return (
      <Banner
        state="crit"
        action={
          may("fleet:write") && (
            <LinkButton href="/enrol" size="sm">
              Make a line
            </LinkButton>
          )
        }
      >
        <b class="w6">Its certificate has ended, so this panel no longer lets it in.</b> Make a new enrolment line and
        run it on the server: it keeps its place here, with everything that is known of it.
      </Banner>
    );
  return (
    <Banner state="warn">
      <b class="w6">Its certificate ends soon: {words.text.replace(/^L/, "l")}.</b> A node renews it by itself; this one
      has not. Open the server and look at its page “Panel”: it says there why not.
    </Banner>
  );
}
