import type { ForwarderKind } from "../../../../src/node/monitoring/log-forwarders/contract.ts";
import { Segmented } from "../../../kit/choice.tsx";
import { Field, Input, Password } from "../../../kit/field.tsx";
import type { Attempt } from "../../../parts/attempt.ts";
import { chooseTransport, type ForwarderFields, isEncrypted } from "./forwarder-form.ts";

interface FieldsProps {
  kind: ForwarderKind;
  fields: ForwarderFields;
  set: (fields: ForwarderFields) => void;
  attempt: Attempt;
  /** True when a secret is stored, which stays while the field is empty. */
  hasSecret: boolean;
}

/** The fields that one kind of forwarder has. */
export function KindFields(props: FieldsProps) {
  const { kind, fields } = props;
  return (
    <>
      {kind === "syslog" ? <SyslogFields {...props} /> : <UrlFields {...props} />}
      {isEncrypted(kind, fields) && <AuthorityField {...props} />}
    </>
  );
}

/** What a line of text of the configuration takes. */
const textIn =
  ({ fields, set, attempt }: FieldsProps) =>
  (key: "host" | "port" | "url" | "user" | "tenant" | "header") => ({
    ...attempt.field(`config.${key}`, fields[key], (value) => set({ ...fields, [key]: value })),
    autocomplete: "off" as const,
    spellcheck: false,
  });

function SyslogFields(props: FieldsProps) {
  const { fields, set } = props;
  const text = textIn(props);
  return (
    <>
      <div class="field">
        <span class="label">Transport</span>
        <Segmented
          label="Transport"
          size="wide"
          value={fields.transport}
          options={[
            { value: "tls", label: "TLS" },
            { value: "tcp", label: "TCP" },
            { value: "udp", label: "UDP" },
          ]}
          onValue={(transport) => set(chooseTransport(fields, transport))}
        />
        {fields.transport === "udp" && (
          <p class="hint warn">Nobody tells when a datagram is lost, and everybody on the way can read it.</p>
        )}
        {fields.transport === "tcp" && (
          <p class="hint warn">Everybody on the way can read the lines. For your own network.</p>
        )}
      </div>
      <div class="hostport">
        <Input label="Server" {...text("host")} hint="A name or an address." />
        <Input label="Port" inputMode="numeric" {...text("port")} />
      </div>
    </>
  );
}

function UrlFields(props: FieldsProps) {
  const { kind, fields, set, attempt, hasSecret } = props;
  const text = textIn(props);
  const isLoki = kind === "loki";
  const secretHint = isLoki ? "With a user its password, without one a token." : "The whole value of that header.";
  return (
    <>
      <Input
        label="Address"
        type="url"
        {...text("url")}
        hint={isLoki ? "Such as http://10.0.0.12:3100; the usual path is added." : "Gets a POST with JSON."}
      />
      {isLoki ? (
        <>
          <Input label="User" {...text("user")} hint="Empty where a token is enough, or nothing is asked." />
          <Input label="Tenant" {...text("tenant")} hint="Only where one Loki serves several." />
        </>
      ) : (
        <Input label="Header for the secret" {...text("header")} hint="Authorization, when left empty." />
      )}
      <Password
        label="Secret"
        {...attempt.field("secret", fields.secret, (secret) => set({ ...fields, secret }))}
        hint={hasSecret ? "Stored and never shown. Leave it empty to keep it." : `${secretHint} May be empty.`}
        autocomplete="off"
      />
    </>
  );
}

function AuthorityField({ fields, set, attempt }: FieldsProps) {
  const onInput = attempt.edits("config.ca", (ca: string) => set({ ...fields, ca }));
  return (
    <details class="howto" open={fields.ca !== "" || attempt.errorOf("config.ca") !== null}>
      <summary>Own authority</summary>
      <Field
        label="Certificate"
        hint="In PEM, for a receiver whose certificate nobody else has signed. The usual authorities are then not trusted."
        error={attempt.errorOf("config.ca")}
      >
        {({ id, describedBy }) => (
          <span class="input area">
            <textarea
              id={id}
              rows={5}
              value={fields.ca}
              spellcheck={false}
              aria-describedby={describedBy}
              onInput={(event) => onInput(event.currentTarget.value)}
            />
          </span>
        )}
      </Field>
    </details>
  );
}
