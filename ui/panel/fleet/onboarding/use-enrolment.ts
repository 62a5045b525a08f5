import { useEffect, useState } from "preact/hooks";
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
  /** A line is being made. */
  isMaking: boolean;
  /** Whether somebody listens for servers that come. */
  isListening: boolean;
  arrival: Arrival | null;
  /** Makes a line and listens anew. */
  make: () => Promise<void>;
  /** Forgets a line that was taken back. */
  drop: (id: string) => void;
  /** Listens for servers that came at this moment or later. */
  listenFrom: (since: string) => void;
}

/** How long a line must still be valid to be shown again. */
const enoughMs = 10 * 60_000;

/** The line that waits to be used, with its workspace: whoever comes back to the screen finds the same one. */
let waiting: { tenant: string; token: EnrollToken } | null = null;

/** The line that somebody made before and that is still of use here. */
function waitingLine(): EnrollToken | null {
  const tenant = user.peek()?.tenant_id ?? "";
  if (waiting?.tenant !== tenant) return null;
  return Date.parse(waiting.token.expires_at) - Date.now() > enoughMs ? waiting.token : null;
}

/** Makes a line to run on a server when somebody asks for it, and listens for the first heartbeat that follows it. */
export function useEnrolment(): Enrolment {
  const [token, setToken] = useState(waitingLine);
  const [since, setSince] = useState<string | null>(token?.created_at ?? null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isMaking, setMaking] = useState(false);
  const [arrival, setArrival] = useState<Arrival | null>(null);

  useEffect(() => {
    if (since === null) return;
    const arrive = (found: Arrival): void => {
      waiting = null;
      setArrival(found);
    };
    return listen(since, arrive, setProblem);
  }, [since]);
  const listenFrom = (from: string): void => {
    setArrival(null);
    setProblem(null);
    setSince(from);
  };
  const make = async (): Promise<void> => {
    setMaking(true);
    try {
      const made = await api("POST /api/onboarding/enroll-token", { body: {} });
      waiting = { tenant: user.peek()?.tenant_id ?? "", token: made };
      setToken(made);
      listenFrom(made.created_at);
    } catch (error) {
      setToken(null);
      setSince(null);
      setProblem(asProblem(error));
    }
    setMaking(false);
  };
  const drop = (id: string): void => {
    if (waiting?.token.id === id) waiting = null;
    if (token?.id === id) setToken(null);
  };
  return { drop, token, problem, isMaking, isListening: since !== null, arrival, make, listenFrom };
}

/** A quiet stream ends now and then with `timeout`; it goes on by itself, with nothing missed as `since` stays. */
function listen(
  since: string,
  onArrival: (arrival: Arrival) => void,
  onRefused: (problem: Problem) => void,
): () => void {
  return followStream(buildUrl("/api/onboarding/first-heartbeat", {}, { since, stream: 1 }), {
    onEvent: ({ type, data }) => {
      const arrival = type === "heartbeat" ? arrivalOf(data) : null;
      if (arrival !== null) onArrival(arrival);
    },
    onRefused,
    endsWith: ({ type }) => type === "heartbeat",
  });
}
