import { Checkbox, Segmented } from "../../../kit/choice.tsx";
import { Input, Password } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";
import { type ChannelFields, chooseSecurity } from "./channel-form.ts";
import { type ChannelKind, kindOf } from "./channel-kinds.ts";

interface FieldsProps {
  type: ChannelKind;
  fields: ChannelFields;
  set: (fields: ChannelFields) => void;
  attempt: Attempt;
  /** True when a secret is stored, which stays while the field is empty. */
  hasSecret: boolean;
}

/** The fields that one kind of channel has. */
export function KindFields(props: FieldsProps) {
  const { type, fields, set, attempt } = props;
  if (type === "email") return <MailFields {...props} />;
  return (
    <>
      {type === "telegram" && (
        <Input
          label="Chat id"
          {...attempt.field("config.chat_id", fields.chat_id, (chat_id) => set({ ...fields, chat_id }))}
          hint="A number, or @name of a public channel."
          autocomplete="off"
          spellcheck={false}
        />
      )}
      {type === "webhook" && (
        <Input
          label="Address"
          type="url"
          {...attempt.field("config.url", fields.url, (url) => set({ ...fields, url }))}
          hint="Gets a POST with JSON."
          autocomplete="off"
        />
      )}
      <SecretField {...props} />
    </>
  );
}

function SecretField({ type, fields, set, attempt, hasSecret }: FieldsProps) {
  const { label, hint } = kindOf(type).secret;
  return (
    <Password
      label={label}
      {...attempt.field("secret", fields.secret, (secret) => set({ ...fields, secret }))}
      hint={hasSecret ? "Stored and never shown. Leave it empty to keep it." : hint}
      autocomplete="off"
    />
  );
}

function MailFields(props: FieldsProps) {
  const { fields, set, attempt } = props;
  const text = (key: "host" | "port" | "user" | "from" | "to") => ({
    value: fields[key],
    onValue: attempt.edits(`config.${key}`, (value: string) => set({ ...fields, [key]: value })),
    error: attempt.errorOf(`config.${key}`),
    spellcheck: false,
    autocomplete: "off" as const,
  });
  return (
    <>
      <Input label="To" {...text("to")} hint="One or more addresses, separated by commas." />
      <Input label="From" type="email" {...text("from")} />
      <div class="hostport">
        <Input label="Mail server" {...text("host")} />
        <Input label="Port" inputMode="numeric" {...text("port")} />
      </div>
      <div class="field">
        <span class="label">Encryption</span>
        <Segmented
          label="Encryption"
          size="wide"
          value={fields.security}
          options={[
            { value: "starttls", label: "STARTTLS" },
            { value: "tls", label: "TLS" },
            { value: "none", label: "None" },
          ]}
          onValue={(security) => set(chooseSecurity(fields, security))}
        />
        {fields.security === "none" && (
          <p class="hint warn">Everybody on the way can read the mail and the password. Only for your own network.</p>
        )}
      </div>
      {fields.security !== "none" && (
        <Checkbox
          checked={!fields.verify}
          onChecked={(any) => set({ ...fields, verify: !any })}
          sub="For a server of your own whose certificate nobody signed."
        >
          Accept any certificate
        </Checkbox>
      )}
      <Input label="User" {...text("user")} hint="Empty when the server lets you send without signing in." />
      <SecretField {...props} />
    </>
  );
}
