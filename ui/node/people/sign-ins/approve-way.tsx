import { useEffect, useRef, useState } from "preact/hooks";
import { offline, onReconnect } from "../../../client/connection.ts";
import { timer, useSecondsLeft } from "../../../client/countdown.ts";
import { asProblem, isRecord, type Problem } from "../../../client/problem.ts";
import { Button } from "../../../kit/button.tsx";
import { Input } from "../../../kit/field.tsx";
import { Glyph } from "../../../kit/status.tsx";
import { Refusal, useWait } from "../../../parts/refusal.tsx";
import { api } from "../../client/api.ts";
import type { Out } from "../../client/routes.ts";
import { completeSignIn } from "../../client/session.ts";
import { followStream } from "../../client/stream.ts";

type Request = Out<"POST /api/auth/approve/request">;
const secondsInAll = 120;
const againMs = 1000;

/** Asks a signed-in device of the same user: shows the code that has to be typed there, and goes in once it was. */
export function ApproveWay({ name: known, onBack }: { name: string; onBack: () => void }) {
  const [name, setName] = useState(known);
  const [request, setRequest] = useState<Request | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const wait = useWait(problem);
  const started = useRef(false);

  const ask = async (): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      setRequest(await api("POST /api/auth/approve/request", { body: { email: name.trim() }, anonymous: true }));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (known.trim() === "" || started.current) return;
    started.current = true;
    void ask();
  }, []);
  if (request !== null) {
    return (
      <Waiting
        key={request.request_id}
        request={request}
        onAgain={() => {
          setRequest(null);
          void ask();
        }}
        onBack={onBack}
      />
    );
  }
  return (
    <form
      class="approve"
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <div>
        <h1 class="t18">Approve on your device</h1>
        <p class="c2 gap4">A device where you are signed in asks you at once.</p>
      </div>
      <div class="fill">
        <Input
          label="User name"
          icon="user"
          value={name}
          onValue={setName}
          autocomplete="username"
          autocapitalize="off"
          spellcheck={false}
          autofocus
          required
        />
      </div>
      {problem !== null && <Refusal problem={problem} wait={wait} />}
      <div class="btns">
        <Button onClick={onBack}>Use another way</Button>
        <Button type="submit" kind="primary" busy={busy} disabled={name.trim() === "" || wait > 0}>
          Show a code
        </Button>
      </div>
    </form>
  );
}

type State = "pending" | "approved" | "denied" | "expired";

function Waiting({ request, onAgain, onBack }: { request: Request; onAgain: () => void; onBack: () => void }) {
  const until = Date.parse(request.expires_at);
  const left = useSecondsLeft(until);
  const [state, setState] = useState<State>("pending");

  useEffect(() => {
    const path = { id: request.request_id };
    let isGone = false;
    let stopWaiting: () => void = () => {};
    const finish = async (): Promise<void> => {
      const poll = await api("GET /api/auth/approve/{id}", { path, anonymous: true }).catch(() => null);
      if (isGone) return;
      if (poll === null) return askAgain();
      setState(poll.status);
      if (poll.status === "approved") await completeSignIn(poll.user);
    };
    // The other device has approved, so an answer that was lost is asked for again. A server that was away has to be back first:
    // its return ends whatever is under way, and the session would be lost, which is handed out once.
    const askAgain = (): void => {
      if (Date.now() >= until) return;
      const again = (): void => {
        stopWaiting();
        void finish();
      };
      if (offline.peek() !== null) stopWaiting = onReconnect(again);
      else setTimeout(again, againMs);
    };
    const stop = followStream(`/api/auth/approve/${encodeURIComponent(request.request_id)}/stream`, {
      onEvent: ({ data }) => {
        const status = isRecord(data) ? data["status"] : null;
        if (status === "approved") void finish();
        else if (status === "denied" || status === "expired") setState(status);
      },
      onRefused: () => setState("expired"),
      endsWith: ({ data }) => isRecord(data) && data["status"] !== "pending",
    });
    return () => {
      isGone = true;
      stopWaiting();
      stop();
    };
  }, [request.request_id]);

  const over = state === "denied" || state === "expired" || (state === "pending" && left === 0);
  if (over) {
    const denied = state === "denied";
    return (
      <section class="approve" role="alert">
        <Glyph state={denied ? "crit" : "warn"} />
        <div>
          <h1 class="t18">{denied ? "The other device said no" : "Nobody answered in time"}</h1>
          <p class="c2 gap4">
            {denied
              ? "It was turned down, or a wrong code was typed. For your safety one wrong code ends the request."
              : "A request lasts two minutes. Is the other device on, and signed in here?"}
          </p>
        </div>
        <div class="btns">
          <Button onClick={onBack}>Use another way</Button>
          <Button kind="primary" onClick={onAgain}>
            Show a new code
          </Button>
        </div>
      </section>
    );
  }
  const code = request.code;
  const half = Math.ceil(code.length / 2);
  return (
    <section class="approve">
      <div>
        <h1 class="t18">Approve on your device</h1>
        <p class="c2 gap4">Open Orrery where you are signed in and type this code.</p>
      </div>
      <div class="codering" role="timer" aria-label={`${timer(left)} left`}>
        <svg viewBox="0 0 100 100" aria-hidden="true">
          <circle cx="50" cy="50" r="48" />
          <circle
            class="v"
            cx="50"
            cy="50"
            r="48"
            pathLength="100"
            stroke-dasharray={`${(left / secondsInAll) * 100} 100`}
          />
        </svg>
        <div>
          <p class={`bigcode ${code.length > 4 ? "six" : ""}`}>
            {code.slice(0, half)}
            <i />
            {code.slice(half)}
          </p>
          <p class="t13 c3">{timer(left)} left</p>
        </div>
      </div>
      <p class="t13 c3 row" role="status">
        <Glyph state={state === "approved" ? "ok" : "busy"} />
        {state === "approved" ? "Approved, opening…" : "Waiting for your answer…"}
      </p>
      <Button onClick={onBack}>Use another way</Button>
    </section>
  );
}
