import type { Channel, TestResult } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { kindOf } from "./channel-kinds.ts";

/** What came of a test, in the provider's own words. */
export function TestResultDialog({
  channel,
  result,
  onClose,
}: {
  channel: Channel;
  result: TestResult;
  onClose: () => void;
}) {
  const { ok, code, provider_text, latency_ms } = result;
  const provider = kindOf(channel.type).name;
  return (
    <Dialog
      title={ok ? "The test was delivered" : "The test did not arrive"}
      width="sm"
      onClose={onClose}
      foot={
        <Button kind="primary" class="push" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <p class="row">
          <Glyph state={ok ? "ok" : "crit"} />
          <span>
            {ok ? `${channel.name} took it` : `${channel.name} did not take it`} after {latency_ms} ms
            {code === null ? ", without an answer." : ` with status ${code}.`}
          </span>
        </p>
        <div class="field">
          <span class="label">{channel.type === "email" ? "The mail server said" : `${provider} said`}</span>
          <pre class="answer">{provider_text === "" ? "(nothing)" : provider_text}</pre>
        </div>
        {ok && <p class="t13 c3">Look there: alerts come the same way, with the same texts.</p>}
      </div>
    </Dialog>
  );
}
