import { useId, useState } from "preact/hooks";
import { day } from "../../../client/format.ts";
import { Button, IconButton } from "../../../kit/button.tsx";
import { Field } from "../../../kit/field.tsx";
import { Chip } from "../../../kit/status.tsx";
import type { Certificate } from "./types.ts";

/** A certificate that is to be believed; one that was just pasted is known to the server once it is saved. */
export type Pin = Certificate | { pem: string };

const MAX = 4;

/** Whose signature is believed: the certificates, when they end, and a place for the next one. */
export function SamlCertificates({
  pins,
  error,
  onPins,
}: {
  pins: readonly Pin[];
  error: string | null;
  onPins: (pins: Pin[]) => void;
}) {
  const [text, setText] = useState("");
  const title = useId();
  const add = (): void => {
    onPins([...pins, { pem: text.trim() }]);
    setText("");
  };
  return (
    <div class="field">
      <p class="label" id={title}>
        Certificates that it signs with
      </p>
      {pins.length > 0 && (
        <ul class="stack sign-on-pins" aria-labelledby={title}>
          {pins.map((pin, index) => (
            <li key={pin.pem} class="sign-on-pin">
              <About pin={pin} />
              <IconButton
                icon="trash"
                label={`Remove certificate ${index + 1}`}
                size="sm"
                onClick={() => onPins(pins.filter((one) => one !== pin))}
              />
            </li>
          ))}
        </ul>
      )}
      {pins.length < MAX && (
        <>
          <Field
            label={pins.length === 0 ? "A certificate" : "The next certificate"}
            hint="As PEM or base64. While the provider changes from one to the next, both are believed."
            error={error}
          >
            {({ id, describedBy }) => (
              <span class="input area">
                <textarea
                  id={id}
                  class="mono"
                  rows={3}
                  spellcheck={false}
                  aria-describedby={describedBy}
                  value={text}
                  onInput={(event) => setText(event.currentTarget.value)}
                />
              </span>
            )}
          </Field>
          <div class="btns">
            <Button icon="plus" size="sm" disabled={text.trim() === ""} onClick={add}>
              Add the certificate
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

function About({ pin }: { pin: Pin }) {
  if (!("fingerprint" in pin)) return <span class="c2">Pasted, and looked at when it is saved</span>;
  return (
    <span class="sign-on-words">
      <span class="row">
        <b class="cut">{pin.subject}</b>
        {pin.state === "ok" && <Chip state="ok">until {day(pin.expires_at)}</Chip>}
        {pin.state === "ending" && <Chip state="warn">ends {day(pin.expires_at)}</Chip>}
        {pin.state === "expired" && <Chip state="crit">ended {day(pin.expires_at)}</Chip>}
      </span>
      <code class="t13 c3 sign-on-sent">SHA-256 {pin.fingerprint}</code>
    </span>
  );
}
