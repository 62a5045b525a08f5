import { useEffect, useRef, useState } from "preact/hooks";
import { asProblem, Problem } from "../client/problem.ts";
import { canAutofill, hasPasskeys } from "../client/webauthn.ts";

/** How a program signs somebody in with a passkey. */
interface Way<Proof> {
  /** False where the server takes none. */
  enabled: boolean;
  /** Lets the user prove one; `conditional` offers it inside the autofill of a field and waits there. */
  prove: (how: { signal: AbortSignal; conditional?: boolean }) => Promise<Proof>;
  /** Goes in with it. */
  finish: (proof: Proof) => Promise<void>;
  onProblem: (problem: Problem | null) => void;
}

/**
 * Signs in with a passkey: from the autofill of the name field while the page is open, or by `start`. The browser allows one
 * question at a time, so a press takes the place of the autofill.
 */
export function usePasskeySignIn<Proof>({ enabled, prove, finish, onProblem }: Way<Proof>): {
  busy: boolean;
  start: () => void;
} {
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    running.current = abort;
    const offer = async (): Promise<void> => {
      if (!(await canAutofill()) || abort.signal.aborted) return;
      const proof = await prove({ signal: abort.signal, conditional: true }).catch(() => null);
      if (proof === null || abort.signal.aborted) return;
      await finish(proof).catch((error: unknown) => {
        onProblem(asProblem(error));
        setRound((count) => count + 1);
      });
    };
    void offer();
    return () => abort.abort();
  }, [enabled, round]);

  const start = async (): Promise<void> => {
    onProblem(null);
    if (!hasPasskeys()) {
      onProblem(new Problem(0, "passkeys_unavailable", "This browser cannot use passkeys here.", {}, null));
      return;
    }
    running.current?.abort();
    const abort = new AbortController();
    running.current = abort;
    setBusy(true);
    try {
      await finish(await prove({ signal: abort.signal }));
    } catch (error) {
      onProblem(asProblem(error));
      setRound((count) => count + 1);
    } finally {
      setBusy(false);
    }
  };
  return { busy, start: () => void start() };
}
