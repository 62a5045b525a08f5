import { useState } from "preact/hooks";
import type { PutBack, PutBackInput } from "../../../../src/node/backups/backups/browse-contract.ts";
import { bytesText } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { Banner } from "../../../kit/card.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Progress } from "../../../kit/progress.tsx";
import { SegmentedField } from "../../../kit/segmented-field.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useOperation } from "../../platform/operations/operation.ts";
import { ChangeList } from "./changes.tsx";
import type { FileRow } from "./file-table.tsx";

type Mode = PutBackInput["mode"];

const HINTS: Record<Mode, string> = {
  beside: "It gets a name with the time of the backup. Nothing that is there changes, and the app runs on.",
  over: "It replaces what is there now; what came since stays. All data of the app is backed up before, and the app is stopped meanwhile.",
};

/** Asks how a file or folder comes back, shows what that changes, and follows it. */
export function PutBackDialog({ row, onClose }: { row: FileRow; onClose: () => void }) {
  const { backup, volume, file } = row;
  const [mode, setMode] = useState<Mode>("beside");
  const [foreseen, setForeseen] = useState<PutBack | null>(null);
  const [opId, setOpId] = useState<string | null>(null);
  const attempt = useAttempt();
  const send = (dry_run: boolean) =>
    attempt.send(async () => {
      const body = { app: volume.app, volume: volume.volume, path: file.path, mode, dry_run };
      const answer = await api("POST /api/backups/{id}/put-back", { path: { id: backup }, body });
      if (dry_run) setForeseen(answer);
      else setOpId(answer.op_id);
    });
  if (opId !== null) return <Under opId={opId} path={foreseen?.path ?? file.path} onClose={onClose} />;
  return (
    <FormDialog
      title={`Put ${file.name} back`}
      sub={`Into ${volume.app_name}, as it was in this backup.`}
      action="Put back"
      danger={mode === "over"}
      width="md"
      ready
      attempt={attempt}
      aside={
        <Button busy={attempt.busy} onClick={() => void send(true)}>
          See what changes
        </Button>
      }
      onSubmit={() => void send(false)}
      onClose={onClose}
    >
      <SegmentedField
        label="Where to"
        value={mode}
        options={[
          { value: "beside", label: "Beside it" },
          { value: "over", label: "Over it" },
        ]}
        onValue={(value) => {
          setMode(value);
          setForeseen(null);
        }}
      />
      <p class="t13 c3">{HINTS[mode]}</p>
      {foreseen?.changes != null && (
        <div class="backupforeseen">
          <p>{`It would come back as ${foreseen.path}, ${bytesText(foreseen.size_bytes)}.`}</p>
          <ChangeList changes={foreseen.changes} />
        </div>
      )}
    </FormDialog>
  );
}

/** How far it is, and how it ended. */
function Under({ opId, path, onClose }: { opId: string; path: string; onClose: () => void }) {
  const work = useOperation(opId);
  const step = work.steps.find(({ status }) => status === "running");
  return (
    <Dialog title="Putting it back" onClose={onClose} width="sm" foot={<Button onClick={onClose}>Close</Button>}>
      {work.status === "failed" && <Banner state="crit">{work.error ?? "That did not work."}</Banner>}
      {work.status === "done" && <p role="status">{`Done: ${path} is in its place.`}</p>}
      {work.status === "running" && (
        <div class="backupopening">
          <Progress value={null} label="Under way" />
          <p role="status">{step === undefined ? "It begins." : `${step.title}.`}</p>
          <p class="t13 c3">This goes on when the window is closed.</p>
        </div>
      )}
    </Dialog>
  );
}
