import { useEffect, useState } from "preact/hooks";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Qr } from "../../../kit/qr.tsx";
import { Refusal, useWait } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import type { Out } from "../../client/routes.ts";
import { completeSignIn } from "../../client/session.ts";

type Shown = Out<"POST /api/auth/qr/generate">;
const secondsInAll = 300;
const pollMs = 1500;

/** A code for a signed-in phone; renews itself while the page is looked at, and goes in once the phone said yes. */
export function QrWay({ onBack }: { onBack?: () => void }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [round, setRound] = useState(0);
  const wait = useWait(problem);
  const left = useSecondsLeft(shown === null ? null : Date.parse(shown.expires_at));

  useEffect(() => {
    const abort = new AbortController();
    void follow(abort.signal, setShown, () => setRound((count) => count + 1)).catch((error: unknown) => {
      if (!abort.signal.aborted) setProblem(asProblem(error));
    });
    return () => abort.abort();
  }, [round]);

  return (
    <div class={onBack === undefined ? "scan" : "scan alone"}>
      {onBack !== undefined && <h1 class="t18">Sign in with your phone</h1>}
      <div class="qr">
        <svg class="rim" viewBox="0 0 184 184" aria-hidden="true">
          <rect x="1" y="1" width="182" height="182" rx="13" />
          <rect
            class="v"
            x="1"
            y="1"
            width="182"
            height="182"
            rx="13"
            pathLength="100"
            stroke-dasharray={`${(left / secondsInAll) * 100} 100`}
          />
        </svg>
        {shown === null ? (
          <span class="code sk" />
        ) : (
          <Qr text={`${location.origin}/approve/${shown.session_id}`} label="Code for signing in with a phone" />
        )}
      </div>
      {problem === null ? (
        <div>
          <p class="w5">Scan with your phone</p>
          <p class="t13 c3">
            One that is signed in already.
            <br />
            {shown === null ? "\u00a0" : `New code in ${timer(left)}`}
          </p>
        </div>
      ) : (
        <>
          <Refusal problem={problem} wait={wait} />
          <Button
            size="sm"
            disabled={wait > 0}
            onClick={() => {
              setProblem(null);
              setRound((count) => count + 1);
            }}
          >
            New code
          </Button>
        </>
      )}
      {onBack !== undefined && <Button onClick={onBack}>Use another way</Button>}
    </div>
  );
}

async function follow(signal: AbortSignal, show: (shown: Shown | null) => void, renew: () => void): Promise<void> {
  await whileHidden(signal);
  if (signal.aborted) return;
  const code = await api("POST /api/auth/qr/generate", { anonymous: true, signal });
  if (signal.aborted) return;
  show(code);
  const { session_id, secret, expires_at } = code;
  while (!signal.aborted && Date.now() < Date.parse(expires_at) + 60_000) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    if (signal.aborted) return;
    const path = { session_id };
    const poll = await api("GET /api/auth/qr/status/{session_id}", { path, anonymous: true, signal }).catch(() => null);
    if (signal.aborted) return;
    if (poll?.status === "approved") {
      const reply = await api("POST /api/auth/qr/exchange", { body: { session_id, secret }, anonymous: true });
      return completeSignIn(reply.user);
    }
    if (poll !== null && poll.status !== "pending") break;
  }
  show(null);
  renew();
}

/** Nobody scans a page that is not shown; a forgotten tab asks for nothing. */
function whileHidden(signal: AbortSignal): Promise<void> {
  if (document.visibilityState === "visible") return Promise.resolve();
  return new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
