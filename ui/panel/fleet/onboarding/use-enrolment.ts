import { useCallback, useEffect, useState } from "preact/hooks";
import { buildUrl } from "../../../client/call.ts";
import { asProblem, type Problem } from "../../../client/problem.ts";
import { api } from "../../client/api.ts";
import { user } from "../../client/session.ts";
import { followStream } from "../../client/stream.ts";
import type { EnrollToken } from "../../client/types.ts";
import { type Arrival, arrivalOf } from "./arrival.ts";

/** One try to bring a server in. */
export interface Enrolment {
  token: EnrollToken | null;
  /** Why there is no line, or why nobody listens. */
  problem: Problem | null;
  arrival: Arrival | null;
  /** Makes a new line and listens anew. */
  renew: () => void;
}

/** How long a line must still be valid to be shown again. */
const enoughMs = 10 * 60_000;

/** The line that waits to be used, with its workspace: whoever comes back to the screen finds the same one. */
let waiting: { tenant: string; token: EnrollToken } | null = null;

async function takeLine(): Promise<EnrollToken> {
  const tenant = user.peek()?.tenant_id ?? "";
  if (waiting?.tenant === tenant && Date.parse(waiting.token.expires_at) - Date.now() > enoughMs) return waiting.token;
  const token = await api("POST /api/onboarding/enroll-token", { body: {} });
  waiting = { tenant, token };
  return token;
}

/** Makes a line to run on a server, and listens for the first heartbeat that follows it. */
export function useEnrolment(): Enrolment {
  const [round, setRound] = useState(0);
  const [token, setToken] = useState<EnrollToken | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [arrival, setArrival] = useState<Arrival | null>(null);

  useEffect(() => {
    let isOver = false;
    let stop = (): void => {};
    setToken(null);
    setProblem(null);
    setArrival(null);
    const arrive = (found: Arrival): void => {
      waiting = null;
      setArrival(found);
    };
    takeLine().then(
      (made) => {
        if (isOver) return;
        setToken(made);
        stop = listen(made, arrive, setProblem);
      },
      (error: unknown) => !isOver && setProblem(asProblem(error)),
    );
    return () => {
      isOver = true;
      stop();
    };
  }, [round]);
  const renew = useCallback(() => {
    waiting = null;
    setRound((count) => count + 1);
  }, []);
  return { token, problem, arrival, renew };
}

/** A quiet stream ends now and then with `timeout`; it goes on by itself, with nothing missed as `since` stays. */
function listen(
  { created_at }: EnrollToken,
  onArrival: (arrival: Arrival) => void,
  onRefused: (problem: Problem) => void,
): () => void {
  return followStream(buildUrl("/api/onboarding/first-heartbeat", {}, { since: created_at, stream: 1 }), {
    onEvent: ({ type, data }) => {
      const arrival = type === "heartbeat" ? arrivalOf(data) : null;
      if (arrival !== null) onArrival(arrival);
    },
    onRefused,
    endsWith: ({ type }) => type === "heartbeat",
  });
}
