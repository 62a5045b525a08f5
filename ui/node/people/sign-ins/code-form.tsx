import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { Refusal, useWait } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import { completeSignIn } from "../../client/session.ts";

interface Props {
  temp: string;
  onBack: () => void;
  /** Called once signed in. */
  onDone?: () => void;
}

/** The second factor: a code from the app, or one of the recovery codes. */
export function CodeForm({ temp, onBack, onDone }: Props) {
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const isGone = problem?.code === "temp_token_refused";

  const send = async (given: string): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const body = { temp_token: temp, code: given.replace(/\s/g, "") };
      const reply = await api("POST /api/auth/totp/verify", { body, anonymous: true });
      await completeSignIn("user" in reply ? reply.user : undefined);
      onDone?.();
    } catch (error) {
      setProblem(asProblem(error));
      setCode("");
    } finally {
      setBusy(false);
    }
  };
  const type = (next: string): void => {
    setCode(next);
    // With the sixth digit the code is complete and is sent at once.
    if (!recovery && !busy && wait === 0 && /^\d{6}$/.test(next.replace(/\s/g, ""))) void send(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(code);
      }}
    >
      {recovery ? (
        <Input
          key="recovery"
          label="Recovery code"
          icon="key"
          value={code}
          onValue={type}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          hint="One of the ten you saved. Each works once."
          autofocus
          required
        />
      ) : (
        <Input
          key="app"
          label="Code from your authenticator app"
          icon="shield"
          value={code}
          onValue={type}
          inputMode="numeric"
          autocomplete="one-time-code"
          autofocus
          required
        />
      )}
      {problem !== null && <Refusal problem={problem} wait={wait} />}
      {isGone ? (
        <Button kind="primary" wide onClick={onBack}>
          Start again
        </Button>
      ) : (
        <Button type="submit" kind="primary" wide busy={busy} disabled={code.length < 6 || wait > 0}>
          Continue
        </Button>
      )}
      <div class="btns spread">
        <Button kind="ghost" size="sm" onClick={onBack}>
          Use another account
        </Button>
        <Button
          kind="ghost"
          size="sm"
          onClick={() => {
            setCode("");
            setProblem(null);
            setRecovery(!recovery);
          }}
        >
          {recovery ? "Use the app" : "Use a recovery code"}
        </Button>
      </div>
    </form>
  );
}
