import { useState } from "preact/hooks";
import type { MaintenanceInput, MaintenanceWindow } from "../../../../src/node/monitoring/maintenance/contract.ts";
import { Checkbox, Segmented, Select } from "../../../kit/choice.tsx";
import { Field, Input } from "../../../kit/field.tsx";
import { toast } from "../../../kit/toasts.ts";
import { useAttempt } from "../../../parts/attempt.ts";
import { deleteButton, FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { useResource } from "../../client/resource.ts";

const pad = (number: number): string => String(number).padStart(2, "0");
const wall = (date: Date): string =>
  `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The next whole hour and the one after, in this browser's zone. */
function firstWindow(): Required<MaintenanceInput> {
  const start = new Date();
  start.setHours(start.getHours() + 1, 0, 0, 0);
  const end = new Date(start.getTime() + 3_600_000);
  return {
    name: "Maintenance",
    start: wall(start),
    end: wall(end),
    timezone: ownZone,
    repeat: "one-time",
    scope: "all",
    rule_ids: [],
  };
}

/** When, how often, and for which alerts. */
export function MaintenanceDialog({
  window,
  onClose,
  onSaved,
  onDelete,
}: {
  window: MaintenanceWindow | null;
  onClose: () => void;
  onSaved: () => void;
  onDelete: (() => void) | undefined;
}) {
  const [input, set] = useState<Required<MaintenanceInput>>(() => {
    if (window === null) return firstWindow();
    const { name, start, end, timezone, repeat, scope, rule_ids } = window;
    return { name, start, end, timezone, repeat, scope, rule_ids };
  });
  const attempt = useAttempt();
  const rules = useResource("GET /api/alerting/rules").data.value ?? [];
  const change = (next: Partial<MaintenanceInput>): void => set({ ...input, ...next });
  const save = async (): Promise<void> => {
    const done = await attempt.send(async () => {
      if (window === null) await api("POST /api/alerting/maintenance", { body: input });
      else await api("PUT /api/alerting/maintenance/{id}", { path: { id: window.id }, body: input });
    });
    if (!done) return;
    toast(window === null ? "Maintenance is planned." : "The window is changed.");
    onSaved();
  };
  const zones = [...new Set([ownZone, input.timezone, "UTC", ...Intl.supportedValuesOf("timeZone")])];
  return (
    <FormDialog
      title={window === null ? "Plan maintenance" : "Change maintenance"}
      sub="Alerts are noted, but nobody is told until it is over."
      action={window === null ? "Plan it" : "Save"}
      aside={deleteButton(onDelete)}
      ready={input.name.trim() !== ""}
      attempt={attempt}
      refusal={attempt.besides("name", "start", "end")}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Input label="Name" value={input.name} onValue={(name) => change({ name })} error={attempt.errorOf("name")} />
      <When label="Start" value={input.start} error={attempt.errorOf("start")} onValue={(start) => change({ start })} />
      <When label="End" value={input.end} error={attempt.errorOf("end")} onValue={(end) => change({ end })} />
      <Select
        label="Time zone"
        value={input.timezone}
        options={zones.map((zone) => ({ value: zone, label: zone }))}
        onValue={(timezone) => change({ timezone })}
      />
      <Segmented
        label="How often"
        size="wide"
        value={input.repeat}
        options={[
          { value: "one-time", label: "Once" },
          { value: "daily", label: "Daily" },
          { value: "weekly", label: "Weekly" },
          { value: "monthly", label: "Monthly" },
        ]}
        onValue={(repeat) => change({ repeat })}
      />
      <Segmented
        label="What it holds back"
        value={input.scope}
        options={[
          { value: "all", label: "All alerts" },
          { value: "rules", label: "Some rules" },
        ]}
        onValue={(scope) => change({ scope })}
      />
      {input.scope === "rules" &&
        rules.map(({ id, name }) => (
          <Checkbox
            key={id}
            checked={input.rule_ids.includes(id)}
            onChecked={(on) =>
              change({ rule_ids: on ? [...input.rule_ids, id] : input.rule_ids.filter((one) => one !== id) })
            }
          >
            {name}
          </Checkbox>
        ))}
    </FormDialog>
  );
}

function When({
  label,
  value,
  error,
  onValue,
}: {
  label: string;
  value: string;
  error: string | null;
  onValue: (value: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {({ id, describedBy }) => (
        <span class={`input ${error === null ? "" : "is-error"}`}>
          <input
            id={id}
            type="datetime-local"
            required
            aria-describedby={describedBy}
            value={value}
            onInput={(event) => event.currentTarget.value !== "" && onValue(event.currentTarget.value.slice(0, 16))}
          />
        </span>
      )}
    </Field>
  );
}
