import { useEffect, useRef, useState } from "preact/hooks";
import { Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Input } from "../../../kit/field.tsx";
import { Qr } from "../../../kit/qr.tsx";
import { useAttempt } from "../../../parts/attempt.ts";
import { FormDialog } from "../../../parts/form-dialog.tsx";
import { api } from "../../client/api.ts";
import type { Out } from "../../client/routes.ts";

/** Turns two-factor sign-in on: scan or type the secret, then prove it with a first code. */
export function TotpDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [enrolment, setEnrolment] = useState<Out<"POST /api/auth/totp/enable"> | null>(null);
  const [code, setCode] = useState("");
  const attempt = useAttempt();
  const digits = code.replace(/\s/g, "");
  useEffect(() => {
    void attempt.send(async () => setEnrolment(await api("POST /api/auth/totp/enable")));
  }, []);
  // The dialog gave the focus to its title, because the field was not there yet.
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => shown.current?.closest("dialog")?.querySelector("input")?.focus(), [enrolment]);
  const verify = async (): Promise<void> => {
    await api("POST /api/auth/totp/verify", { body: { code: digits } });
    onDone();
  };
  return (
    <FormDialog
      title="Turn on two-factor sign-in"
      action="Turn on"
      ready={enrolment !== null && /^\d{6}$/.test(digits)}
      attempt={attempt}
      onSubmit={() => void attempt.send(verify)}
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
