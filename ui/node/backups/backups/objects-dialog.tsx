import { useState } from "preact/hooks";
import type { Backup } from "../../../../src/node/backups/backups/contract.ts";
import type { BackedUpObjects } from "../../../../src/node/backups/backups/objects-contract.ts";
import { bytesText, moment } from "../../../client/format.ts";
import { Button } from "../../../kit/button.tsx";
import { EmptyState, Skeleton } from "../../../kit/card.tsx";
import { Checkbox, Switch } from "../../../kit/choice.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { Loaded } from "../../../parts/loaded.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";
import { OwnDrive, type PickedNode } from "./own-drive.tsx";

const NONE: ReadonlySet<string> = new Set();
const TITLE = "Put buckets and Drives back";

const filesText = (count: number): string => (count === 1 ? "one file" : `${count} files`);
const objectsText = (count: number): string => (count === 1 ? "one object" : `${count} objects`);

function withChoice(chosen: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(chosen);
  if (isIn) next.add(id);
  else next.delete(id);
  return next;
}

/** Asks which buckets and Drives of a backup are put back, and how. */
export function ObjectsDialog({
  backup,
  onClose,
  onBegun,
}: {
  backup: Backup;
  onClose: () => void;
  onBegun: (opId: string) => void;
}) {
  const found = useResource("GET /api/backups/{id}/objects", { path: { id: backup.id } });
  const objects = found.data.value;
  if (objects !== null) return <Choice backup={backup} objects={objects} onClose={onClose} onBegun={onBegun} />;
  return (
    <Dialog title={TITLE} sub="What is in the backup is being read." width="sm" onClose={onClose}>
      <Loaded of={found} what="What is in the backup" skeleton={<Skeleton rows={4} />}>
        {() => null}
      </Loaded>
    </Dialog>
  );
}

function Choice({
  backup,
  objects: { buckets, drives },
  onClose,
  onBegun,
}: {
  backup: Backup;
  objects: BackedUpObjects;
  onClose: () => void;
  onBegun: (opId: string) => void;
}) {
  const [inBuckets, setBuckets] = useState(NONE);
  const [inDrives, setDrives] = useState(NONE);
  const [picked, pick] = useState<PickedNode | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [removesLater, setRemovesLater] = useState(false);
  const [isOver, setOver] = useState(false);
  const attempt = useAttempt();
  const hasDrives = inDrives.size > 0 || picked !== null;
  const send = () =>
    void attempt.send(async () => {
      const body = {
        buckets: [...inBuckets],
        remove_later: removesLater,
        drives: picked === null ? [...inDrives] : [],
        ...(picked === null ? {} : { drive_node: picked.id }),
        drives_over: isOver,
      };
      onBegun((await api("POST /api/backups/{id}/objects/restore", { path: { id: backup.id }, body })).op_id);
    });
  if (isPicking)
    return (
      <OwnDrive
        backupId={backup.id}
        onPick={(node) => {
          pick(node);
          setDrives(NONE);
          setPicking(false);
        }}
        onClose={() => setPicking(false)}
      />
    );
  return (
    <FormDialog
      title={TITLE}
      sub={`As they were ${moment(backup.started_at)}. What they are now is backed up before, so that you can come back to it.`}
      action="Put back"
      danger
      ready={inBuckets.size > 0 || hasDrives}
      attempt={attempt}
      onSubmit={send}
      onClose={onClose}
    >
      {buckets.length === 0 && drives.length === 0 && (
        <EmptyState title="Nothing was stored then">Choose a newer backup.</EmptyState>
      )}
      {buckets.map(({ name, object_count, size_bytes }) => (
        <Checkbox
          key={name}
          checked={inBuckets.has(name)}
          onChecked={(isIn) => setBuckets(withChoice(inBuckets, name, isIn))}
        >
          {`Bucket ${name}, ${objectsText(object_count)}, ${bytesText(size_bytes)}`}
        </Checkbox>
      ))}
      {inBuckets.size > 0 && (
        <Switch
          checked={removesLater}
          onChecked={setRemovesLater}
          sub="Otherwise objects that came after the backup stay."
        >
          Remove what came later
        </Switch>
      )}
      {drives.map(({ user_id, username, files, size_bytes, is_here }) => (
        <Checkbox
          key={user_id}
          checked={inDrives.has(user_id)}
          disabled={!is_here || picked !== null}
          onChecked={(isIn) => setDrives(withChoice(inDrives, user_id, isIn))}
        >
          {`Drive of ${username}, ${filesText(files)}, ${bytesText(size_bytes)}${is_here ? "" : " (the account is no more)"}`}
        </Checkbox>
      ))}
      {drives.length > 0 && (
        <div class="row">
          <span class="t13 c3">
            {picked === null ? "Only a part of your own Drive?" : `Of your Drive: ${picked.name}`}
          </span>
          <Button size="sm" onClick={() => (picked === null ? setPicking(true) : pick(null))}>
            {picked === null ? "Choose a file or folder" : "Choose something else"}
          </Button>
        </div>
      )}
      {hasDrives && (
        <Switch
          checked={isOver}
          onChecked={setOver}
          sub="What files hold now stays as a version. Otherwise everything goes into a new folder at the top of the Drive."
        >
          Put files to where they were
        </Switch>
      )}
    </FormDialog>
  );
}
