import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asProblem, type Problem } from "../client/problem.ts";
import { Button } from "../kit/button.tsx";
import { Input } from "../kit/field.tsx";
import { Refusal, useWait } from "./refusal.tsx";

type Mode = "app" | "key" | "recovery";

const modes: Mode[] = ["app", "key", "recovery"];
const modeNames: Record<Mode, string> = {
  app: "Use the app",
  key: "Use a security key",
  recovery: "Use a recovery code",
};

interface Props {
  /** Goes in with a code of the app or a recovery code. Throws Problem. */
  finish: (code: string) => Promise<void>;
  /** The code of the refusal after which only starting again helps. */
  gone: string;
  /** Which kinds of codes the account has. */
  app: boolean;
  recovery: boolean;
  /** Goes in with a security key, where the account has one. Throws Problem. */
  onKey?: (() => Promise<void>) | undefined;
  onBack: () => void;
  /** Words under the form. */
  children?: ComponentChildren;
}

/** The second factor: a code from the app, one of the recovery codes, or a key. */
export function CodeForm({ finish, gone, app, recovery: hasRecovery, onKey, onBack, children }: Props) {
  const [code, setCode] = useState("");
  const first: Mode = app ? "app" : onKey ? "key" : "recovery";
  const [mode, setMode] = useState(first);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const has: Record<Mode, boolean> = { app, key: onKey !== undefined, recovery: hasRecovery };
  const others = modes.filter((other) => has[other] && other !== mode);
  const isGone = problem?.code === gone;

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(asProblem(error));
      setCode("");
    } finally {
      setBusy(false);
    }
  };
  const send = (given: string): Promise<void> => attempt(() => finish(given.replace(/\s/g, "")));
  const type = (next: string): void => {
    setCode(next);
    // With the sixth digit the code is complete and is sent at once.
    if (mode === "app" && !busy && wait === 0 && /^\d{6}$/.test(next.replace(/\s/g, ""))) void send(next);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send(code);
      }}
    >
      {mode === "recovery" && (
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
      )}
      {mode === "app" && (
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
      {mode === "key" && <p class="c2 mid">Have your security key at hand; your browser asks for it.</p>}
      {problem !== null && <Refusal problem={problem} wait={wait} />}
      {isGone ? (
        <Button kind="primary" wide onClick={onBack}>
          Start again
        </Button>
      ) : mode === "key" ? (
        <Button kind="primary" wide busy={busy} disabled={wait > 0} onClick={() => onKey && void attempt(onKey)}>
          {modeNames.key}
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
        {others.map((other) => (
          <Button
            key={other}
            kind="ghost"
            size="sm"
            onClick={() => {
              setCode("");
              setProblem(null);
              setMode(other);
            }}
          >
            {modeNames[other]}
          </Button>
        ))}
      </div>
      {children}
    </form>
  );
}
