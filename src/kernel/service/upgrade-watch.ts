import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { isRecord } from "../../lib/json.ts";
import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";
import { unitState } from "./systemd.ts";

/** Whether a started release holds. */
export type Verdict = { ok: true } | { ok: false; reason: string };

/** A release may take this long until its first answer … */
const ANSWER_WITHIN_MS = seconds(60);
/** … and must then keep answering, in one and the same process, for this long. */
const STABLE_FOR_MS = seconds(10);
const POLL_MS = 500;
const FAILED_STARTS = 3;

/** True when the program of that version answers below `url`; null accepts any version. */
export async function answers(
  host: Host,
  spec: Pick<ProgramSpec, "healthPath">,
  url: string,
  version: string | null,
): Promise<boolean> {
  const answer = await host.get(`${url}${spec.healthPath}`);
  if (answer?.status !== 200 || !isRecord(answer.body)) return false;
  return version === null || answer.body["version"] === version;
}

/** Watches a service that was just started until it has proved itself or failed. */
export async function watchStart(
  { host, clock, spec }: { host: Host; clock: Clock; spec: Pick<ProgramSpec, "healthPath"> },
  { unit, url, version }: { unit: string; url: string; version: string },
): Promise<Verdict> {
  const began = clock.monotonic();
  let steady: { since: number; pid: number } | null = null;
  while (true) {
    const state = await unitState(host, unit);
    if (state.active === "failed") return { ok: false, reason: `the service failed (${state.result})` };
    if (state.restarts >= FAILED_STARTS) return { ok: false, reason: `the service failed ${state.restarts} times` };
    if (steady && state.pid !== steady.pid) return { ok: false, reason: "it answered and then crashed" };
    const isWell = await answers(host, spec, url, version);
    const now = clock.monotonic();
    if (!isWell) steady = null;
    if (isWell && !steady) steady = { since: now, pid: state.pid };
    if (steady && now - steady.since >= STABLE_FOR_MS) return { ok: true };
    if (!steady && now - began >= ANSWER_WITHIN_MS)
      return { ok: false, reason: `it did not answer within ${ANSWER_WITHIN_MS / 1000} s` };
    await clock.sleep(POLL_MS);
  }
}
