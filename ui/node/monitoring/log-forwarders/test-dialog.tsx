import type { Forwarder, ForwarderTest } from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Glyph } from "../../../kit/status.tsx";

/** What came of a test, in the receiver's own words where it has some. */
export function TestDialog({
  forwarder,
  result: { ok, code, words, latency_ms },
  onClose,
  onEdit,
}: {
  forwarder: Forwarder;
  result: ForwarderTest;
  onClose: () => void;
  onEdit: () => void;
}) {
  const status = code === null ? "" : ` with status ${code}`;
  return (
    <Dialog
      title={ok ? "The line was sent" : "The line did not arrive"}
      width="sm"
      onClose={onClose}
      foot={
        <>
          {!ok && <Button onClick={onEdit}>Edit the forwarder</Button>}
          <Button kind="primary" class="push" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div class="stack">
        <p class="row">
          <Glyph state={ok ? "ok" : "crit"} />
          <span>
            {ok ? `${forwarder.name} took it` : `${forwarder.name} did not take it`} after {latency_ms} ms{status}.
          </span>
        </p>
        <div class="field">
          <span class="label">What came back</span>
          <pre class="answer">{words === "" ? "(nothing)" : words}</pre>
        </div>
        {ok && <p class="t13 c3">Look there for “This is a test.” Lines come the same way.</p>}
      </div>
    </Dialog>
  );
}
