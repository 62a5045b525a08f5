import type { RecoveryKit } from "../../../../src/node/backups/backups/contract.ts";
import { Button } from "../../../kit/button.tsx";
import { Copy } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Qr } from "../../../kit/qr.tsx";

/** What opens the backups when this server is gone; made to be printed. */
export function KitDialog({ kit: { target, recovery_key }, onClose }: { kit: RecoveryKit; onClose: () => void }) {
  return (
    <Dialog
      title="Recovery kit"
      sub="Print it and keep it away from this server. Whoever has it can read the backups."
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Close
          </Button>
          <Button kind="primary" onClick={() => window.print()}>
            Print
          </Button>
        </>
      }
    >
      <div class="backupkit">
        <p>
          {`${target.name}: `}
          <code>{target.path}</code>
        </p>
        <p class="row">
          <code>{recovery_key}</code>
          <Copy text={recovery_key} />
        </p>
        <Qr text={recovery_key} label="The same key as a code" />
        <p class="c3 t13">
          If this server is lost: install Orrery elsewhere, stop it, empty its data folder, and run{" "}
          <code>orrery-node restore</code> with this place and this key. Without Orrery, the script restore.py from its
          documentation reads it.
        </p>
      </div>
    </Dialog>
  );
}
