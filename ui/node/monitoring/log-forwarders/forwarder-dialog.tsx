import { useId, useState } from "preact/hooks";
import type {
  Forwarder,
  ForwarderKind,
  Level,
  Sources,
} from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import { Select } from "../../../kit/choice.tsx";
import { Input } from "../../../kit/field.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { KindFields } from "./forwarder-fields.tsx";
import { configOf, fieldsOf, isReady, kinds, levelNames, sourceNames } from "./forwarder-form.ts";

const sourceOrder: Sources[] = ["all", "system", "containers"];
const levelOrder: (Level | "")[] = ["", "info", "warn", "error"];

/** Makes a forwarder, or changes one: its kind is chosen once, its secret is never shown again. */
export function ForwarderDialog({
  forwarder,
  onClose,
  onSaved,
}: {
  forwarder: Forwarder | null;
  onClose: () => void;
  onSaved: (saved: Forwarder) => void;
}) {
  const [kind, setKind] = useState<ForwarderKind>(forwarder?.kind ?? "syslog");
  const [fields, set] = useState(() => fieldsOf(forwarder));
  const attempt = useAttempt();
  const hasSecret = forwarder?.has_secret === true;
  const keys = [...Object.keys(configOf(kind, fields)), "user", "tenant", "header", "ca"];
  const shown = ["name", "secret", ...keys.map((key) => `config.${key}`)];
  const levels = fields.least === "debug" ? ["" as const, "debug" as const, ...levelOrder.slice(1)] : levelOrder;

  const submit = async (): Promise<void> => {
    const secret = kind === "syslog" || fields.secret.trim() === "" ? {} : { secret: fields.secret.trim() };
    const body = {
      name: fields.name.trim(),
      config: configOf(kind, fields),
      sources: fields.sources,
      min_level: fields.least === "" ? null : fields.least,
      ...secret,
    };
    const saved =
      forwarder === null
        ? await api("POST /api/log-forwarders", { body: { ...body, kind } })
        : await api("PUT /api/log-forwarders/{id}", { path: { id: forwarder.id }, body });
    onSaved(saved);
  };
  return (
    <FormDialog
      title={forwarder === null ? "Add log forwarder" : `Edit ${forwarder.name}`}
      sub={
        forwarder === null ? "Lines go there as they are written, from now on. Secrets in them are masked." : undefined
      }
      action={forwarder === null ? "Add log forwarder" : "Save"}
      ready={isReady(kind, fields)}
      attempt={attempt}
      refusal={attempt.besides(...shown)}
      onSubmit={() => void attempt.send(submit)}
      onClose={onClose}
    >
      {forwarder === null && <KindChoice value={kind} onValue={setKind} />}
      <Input
        label="Name"
        {...attempt.field("name", fields.name, (name) => set({ ...fields, name }))}
        hint="For you, such as “Log box”."
        autocomplete="off"
      />
      <KindFields kind={kind} fields={fields} set={set} attempt={attempt} hasSecret={hasSecret} />
      <div class="field">
        <span class="label">What goes there</span>
        <div class="row">
          <Select
            label="Sources"
            value={fields.sources}
            options={sourceOrder.map((value) => ({ value, label: sourceNames[value] }))}
            onValue={(sources) => set({ ...fields, sources })}
          />
          <Select
            label="From level"
            value={fields.least}
            options={levels.map((value) => ({ value, label: levelNames[value] }))}
            onValue={(least) => set({ ...fields, least })}
          />
        </div>
      </div>
    </FormDialog>
  );
}

function KindChoice({ value, onValue }: { value: ForwarderKind; onValue: (kind: ForwarderKind) => void }) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class="label">Kind</legend>
      <div class="kindgrid">
        {kinds.map(({ kind, name: label, icon }) => (
          <label key={kind}>
            <input type="radio" name={name} value={kind} checked={kind === value} onChange={() => onValue(kind)} />
            <Icon name={icon} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
