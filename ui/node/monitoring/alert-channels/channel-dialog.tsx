import { useId, useState } from "preact/hooks";
import type { Channel } from "../../../../src/node/monitoring/alert-channels/contract.ts";
import { Input } from "../../../kit/field.tsx";
import { Icon } from "../../../kit/icon.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import { KindFields } from "./channel-fields.tsx";
import { configOf, fieldsOf, isReady } from "./channel-form.ts";
import { type ChannelKind, kindOf, kinds } from "./channel-kinds.ts";

/** Makes a channel, or changes one: its kind is chosen once, its secret is never shown again. */
export function ChannelDialog({
  channel,
  onClose,
  onSaved,
}: {
  channel: Channel | null;
  onClose: () => void;
  onSaved: (saved: Channel) => void;
}) {
  const [type, setType] = useState<ChannelKind>(channel?.type ?? "email");
  const [fields, set] = useState(() => fieldsOf(channel));
  const attempt = useAttempt();
  const hasSecret = channel?.has_secret === true;
  const shown = ["name", "secret", ...Object.keys(configOf(type, fields)).map((key) => `config.${key}`)];

  const submit = async (): Promise<void> => {
    const secret = fields.secret.trim() === "" ? {} : { secret: fields.secret.trim() };
    const body = { name: fields.name.trim(), config: configOf(type, fields), ...secret };
    const saved =
      channel === null
        ? await api("POST /api/alerting/channels", { body: { ...body, type } })
        : await api("PUT /api/alerting/channels/{id}", { path: { id: channel.id }, body });
    onSaved(saved);
  };
  return (
    <FormDialog
      title={channel === null ? "Add channel" : `Edit ${channel.name}`}
      sub={channel === null ? "Where alerts shall arrive. You can send a test afterwards." : undefined}
      action={channel === null ? "Add channel" : "Save"}
      ready={isReady(type, fields, hasSecret)}
      attempt={attempt}
      refusal={attempt.besides(...shown)}
      onSubmit={() => void attempt.send(submit)}
      onClose={onClose}
    >
      {channel === null && <KindChoice value={type} onValue={setType} />}
      <HowTo type={type} />
      <Input
        label="Name"
        {...attempt.field("name", fields.name, (name) => set({ ...fields, name }))}
        hint="For you, such as “Family chat”."
        autocomplete="off"
      />
      <KindFields type={type} fields={fields} set={set} attempt={attempt} hasSecret={hasSecret} />
    </FormDialog>
  );
}

function KindChoice({ value, onValue }: { value: ChannelKind; onValue: (type: ChannelKind) => void }) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class="label">Kind</legend>
      <div class="kindgrid">
        {kinds.map((kind) => (
          <label key={kind.type}>
            <input
              type="radio"
              name={name}
              value={kind.type}
              checked={kind.type === value}
              onChange={() => onValue(kind.type)}
            />
            <Icon name={kind.icon} />
            {kind.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function HowTo({ type }: { type: ChannelKind }) {
  return (
    <details class="howto">
      <summary>Where do I find this?</summary>
      <ol>
        {kindOf(type).steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}
