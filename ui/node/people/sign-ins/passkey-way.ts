import { useEffect, useRef, useState } from "preact/hooks";
import type { PasskeyProof } from "../../../../src/node/people/passkeys/contract.ts";
import { asProblem, Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import { completeSignIn, lockInfo } from "../../client/session.ts";
import { canAutofill, hasPasskeys, provePasskey } from "../passkeys/passkey.ts";

/**
 * Signs in with a passkey: from the autofill of the name field while the page is open, or by `start`. The browser allows one
 * question at a time, so a press takes the place of the autofill.
 */
export function usePasskeySignIn(
  onSecondFactor: (temp: string) => void,
  onProblem: (problem: Problem | null) => void,
): { busy: boolean; start: () => void } {
  const [busy, setBusy] = useState(false);
  const [round, setRound] = useState(0);
  const running = useRef<AbortController | null>(null);
  const enabled = lockInfo.value?.passkeys_enabled === true;

  const finish = async (proof: PasskeyProof): Promise<void> => {
    const reply = await api("POST /api/auth/passkeys/login/finish", { body: proof, anonymous: true });
    if ("totp_required" in reply) onSecondFactor(reply.temp_token);
    else await completeSignIn(reply.user);
  };

  useEffect(() => {
    if (!enabled) return;
    const abort = new AbortController();
    running.current = abort;
    const offer = async (): Promise<void> => {
      if (!(await canAutofill()) || abort.signal.aborted) return;
      const proof = await provePasskey({ signal: abort.signal, conditional: true }).catch(() => null);
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
      await finish(await provePasskey({ signal: abort.signal }));
    } catch (error) {
      onProblem(asProblem(error));
      setRound((count) => count + 1);
    } finally {
      setBusy(false);
    }
  };
  return { busy, start: () => void start() };
}
