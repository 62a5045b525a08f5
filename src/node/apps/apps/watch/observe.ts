import type { ServiceRow } from "../service-store.ts";
import type { Failure } from "../work/failure.ts";

/** What is to be known of one service to judge its app. */
export interface ObservedService extends Pick<ServiceRow, "name" | "state" | "health" | "restarts" | "exit_code"> {
  isOneShot: boolean;
  /** It has been up for so short a time after a restart that it may fall again. */
  isSettling: boolean;
  /** How often it ended in the latest ten minutes, when that is a crash loop. */
  loopEnds: number | null;
  /** Somebody stopped it by hand. */
  wasStopped: boolean;
  /** Why it is down, for people. */
  failure: Failure | null;
}

export interface Observation {
  trigger: "saw_running" | "saw_degraded" | "saw_stopped" | "saw_error";
  cause: string | null;
  next_step: string | null;
}

const isUp = (service: ObservedService): boolean =>
  service.state === "running" && service.health !== "unhealthy" && !service.isSettling && service.loopEnds === null;

/** What to do about a loop: starting it again is what happens all the time. */
const loopAdvice = (failure: Failure | null): string =>
  failure?.code === "out_of_memory" && failure.next_step !== null
    ? failure.next_step
    : "Its last log lines say why. Correct that and restart the app, or stop it until then.";

function explain(service: ObservedService): { cause: string; next_step: string | null } {
  if (service.loopEnds !== null) {
    const cause = `${service.name} keeps crashing: it ended ${service.loopEnds} times within 10 minutes.`;
    const why = service.failure === null ? "" : ` ${service.failure.cause}`;
    const wait = service.state === "restarting" ? " Docker waits longer before every start, up to a minute." : "";
    return {
      cause: `${cause}${why}${wait}`,
      next_step: loopAdvice(service.failure),
    };
  }
  if (service.state === "running" && service.health === "unhealthy") {
    return {
      cause: `${service.name} runs, but its health check fails.`,
      next_step: "Its last log lines say why. A restart may help.",
    };
  }
  if (service.state === "restarting" || service.isSettling) {
    return {
      cause: `${service.failure?.cause ?? `${service.name} ended.`} Docker has started it again ${service.restarts} times.`,
      next_step: service.failure?.next_step ?? "Its last log lines say why.",
    };
  }
  if (service.state === "missing") {
    return { cause: `The container of ${service.name} was removed.`, next_step: "Start the app to make it anew." };
  }
  if (service.state === "paused") {
    return { cause: `${service.name} is paused.`, next_step: "Restart the app to let it run again." };
  }
  const cause = service.failure?.cause ?? `${service.name} is ${service.state}.`;
  return { cause, next_step: service.failure?.next_step ?? "Start the app again." };
}

/** Judges an app by its services. */
export function observe(services: readonly ObservedService[]): Observation {
  const relevant = services.filter((service) => !(service.isOneShot && service.exit_code === 0));
  const down = relevant.filter((service) => !isUp(service));
  const first = down.find((service) => service.failure !== null) ?? down[0];
  if (first === undefined) return { trigger: "saw_running", cause: null, next_step: null };
  const isQuiet = down.every((service) => service.wasStopped || service.exit_code === 0);
  const isAlive = relevant.some((service) => ["running", "restarting", "paused"].includes(service.state));
  if (!isAlive && isQuiet && down.every((service) => service.state === "exited" || service.state === "created")) {
    return {
      trigger: "saw_stopped",
      cause: "It was stopped outside Orrery.",
      next_step: "Start it when you need it again.",
    };
  }
  return { trigger: isAlive ? "saw_degraded" : "saw_error", ...explain(first) };
}
