import { useState } from "preact/hooks";
import type { Target } from "../../../../src/node/backups/backups/contract.ts";
import { Checkbox, Select } from "../../../kit/choice.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";

/** An app as it is chosen. */
export interface Named {
  id: string;
  name: string;
}

/** Chosen apps as check boxes. */
export function AppChoice({
  apps,
  left,
  onLeft,
}: {
  apps: readonly Named[];
  left: ReadonlySet<string>;
  onLeft: (left: ReadonlySet<string>) => void;
}) {
  return (
    <>
      {apps.map(({ id, name }) => (
        <Checkbox
          key={id}
          checked={!left.has(id)}
          onChecked={(isIn) => {
            const next = new Set(left);
            if (isIn) next.delete(id);
            else next.add(id);
            onLeft(next);
          }}
        >
          {name}
        </Checkbox>
      ))}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** Asks what is backed up, and to where. */
export function RunDialog({
  targets,
  apps,
  onClose,
  onBegun,
}: {
  targets: readonly Target[];
  apps: readonly Named[];
  onClose: () => void;
  onBegun: (opId: string) => void;
}) {
  const [target, setTarget] = useState(targets[0]?.id ?? "");
  const [config, setConfig] = useState(true);
  const [objects, setObjects] = useState(true);
  const [left, setLeft] = useState(NONE);
  const attempt = useAttempt();
  const chosen = apps.map(({ id }) => id).filter((id) => !left.has(id));
  return (
    <FormDialog
      title="Back up now"
      sub="An app that runs is paused or stopped while its data is copied, one at a time, and goes on afterwards."
      action="Back up"
      ready={target !== "" && (config || chosen.length > 0)}
      attempt={attempt}
      onSubmit={() =>
        void attempt.send(async () => {
          const body = { target, apps: chosen, include_config: config, include_objects: config && objects };
          onBegun((await api("POST /api/backups", { body })).op_id);
        })
      }
      onClose={onClose}
    >
      <Select
        label="Target"
        value={target}
        options={targets.map(({ id, name }) => ({ value: id, label: name }))}
        onValue={setTarget}
      />
      <Checkbox checked={config} onChecked={setConfig}>
        Settings, users and secrets of this server
      </Checkbox>
      <Checkbox
        checked={config && objects}
        disabled={!config}
        onChecked={setObjects}
        sub={config ? undefined : "They go with the settings, which name what is in them."}
      >
        Buckets and Drives
      </Checkbox>
      <AppChoice apps={apps} left={left} onLeft={setLeft} />
    </FormDialog>
  );
}
