import { useEffect, useRef, useState } from "preact/hooks";
import { Skeleton } from "../kit/card.tsx";
import { CodeLine } from "../kit/copy.tsx";
import { Input } from "../kit/field.tsx";
import { Qr } from "../kit/qr.tsx";
import { useAttempt } from "./attempt.ts";
import { FormDialog } from "./form-dialog.tsx";

/** What an authenticator app takes. */
interface Enrolment {
  provisioning_uri: string;
  secret: string;
}

/** Turns two-factor sign-in on: scan or type the secret, then prove it with a first code. */
export function TotpDialog({
  begin,
  verify: prove,
  onClose,
}: {
  begin: () => Promise<Enrolment>;
  /** Turns it on with six digits. */
  verify: (code: string) => Promise<void>;
  onClose: () => void;
}) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [code, setCode] = useState("");
  const attempt = useAttempt();
  const digits = code.replace(/\s/g, "");
  useEffect(() => {
    void attempt.send(async () => setEnrolment(await begin()));
  }, []);
  // The dialog gave the focus to its title, because the field was not there yet.
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.closest("dialog")?.querySelector("input")?.focus(), [enrolment]);
  return (
    <FormDialog
      title="Turn on two-factor sign-in"
      action="Turn on"
      ready={enrolment !== null && /^\d{6}$/.test(digits)}
      attempt={attempt}
      onSubmit={() => void attempt.send(() => prove(digits))}
      onClose={onClose}
    >
      <p class="c2">Scan this with your authenticator app, then type the code it shows.</p>
      {enrolment === null ? (
        attempt.problem === null && <Skeleton rows={3} />
      ) : (
        <>
          <p class="center-row" ref={shown}>
            <Qr text={enrolment.provisioning_uri} label="Code for your authenticator app" />
          </p>
          <div class="field">
            <p class="label">Or type this key</p>
            <CodeLine text={enrolment.secret} />
          </div>
          <Input
            label="Code from the app"
            icon="shield"
            value={code}
            onValue={attempt.edits("code", setCode)}
            inputMode="numeric"
            autocomplete="one-time-code"
          />
        </>
      )}
    </FormDialog>
  );
}
