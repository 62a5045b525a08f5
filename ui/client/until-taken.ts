import { asProblem, type Problem } from "./problem.ts";

/** How often something is sent again, and how long is waited before each. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** The server, or the way to it, may be well again in a moment. */
const mayPass = ({ status, code }: Problem): boolean => code === "unreachable" || status === 429 || status === 503;

/** Sends something until the server takes it, for a minute at most: what is sent must not be done twice where only its answer is lost. Throws Problem. */
export async function untilTaken<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const problem = asProblem(error);
      const pause = WAITS_MS[tries];
      if (signal.aborted || pause === undefined || !mayPass(problem)) throw problem;
      await wait(Math.max(pause, (problem.retryAfter ?? 0) * 1_000), signal);
    }
  }
}
