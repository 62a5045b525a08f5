import { useEffect, useState } from "preact/hooks";
import { api } from "../../../client/api.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import type { Out } from "../../../client/routes.ts";
import { Button } from "../../../kit/button.tsx";
import { Skeleton } from "../../../kit/card.tsx";
import { CodeLine } from "../../../kit/copy.tsx";
import { Dialog } from "../../../kit/dialog.tsx";
import { Input } from "../../../kit/field.tsx";
import { Qr } from "../../../kit/qr.tsx";
import { Refusal, useWait } from "../../parts/refusal.tsx";

/** Turns two-factor sign-in on: scan or type the secret, then prove it with a first code. */
export function TotpDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [enrolment, setEnrolment] = useState<Out<"POST /api/auth/totp/enable"> | null>(null);
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  useEffect(() => {
    api("POST /api/auth/totp/enable").then(setEnrolment, (error: unknown) => setProblem(asProblem(error)));
  }, []);
  const verify = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await api("POST /api/auth/totp/verify", { body: { code: code.replace(/\s/g, "") } });
      onDone();
    } catch (error) {
      setProblem(asProblem(error));
      setBusy(false);
    }
  };
  const ready = /^\d{6}$/.test(code.replace(/\s/g, "")) && wait === 0;
  return (
    <Dialog
      title="Turn on two-factor sign-in"
      width="sm"
      onClose={onClose}
      foot={
        <>
          <Button class="push" onClick={onClose}>
            Cancel
          </Button>
          <Button kind="primary" busy={busy} disabled={!ready} onClick={() => void verify()}>
            Turn on
          </Button>
        </>
      }
    >
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void verify();
        }}
      >
        <p class="c2">Scan this with your authenticator app, then type the code it shows.</p>
        {enrolment === null ? (
          problem === null && <Skeleton rows={3} />
        ) : (
          <>
            <p class="center-row">
              <Qr text={enrolment.provisioning_uri} label="Code for your authenticator app" />
            </p>
            <div>
              <p class="label">Or type this key</p>
              <CodeLine text={enrolment.secret} />
            </div>
            <Input
              label="Code from the app"
              icon="shield"
              value={code}
              onValue={setCode}
              inputMode="numeric"
              autocomplete="one-time-code"
            />
          </>
        )}
        {problem !== null && <Refusal problem={problem} wait={wait} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
