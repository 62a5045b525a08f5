import { seconds } from "../../../../lib/duration.ts";
import type { ContainerInfo } from "../../runtime/index.ts";
import { oneShotServices } from "../blueprint/blueprint.ts";
import { findContainer } from "./ensure.ts";
import { AppFailure, explainExit, explainOom } from "./failure.ts";
import { probeManifest } from "./probe.ts";
import type { Work } from "./work.ts";

const POLL_MS = 400;
/** Nobody watches an install for longer than this once it works; an update takes the manifest's whole `stable_s`. */
const LONGEST_STABLE_MS = seconds(10);
const HOPELESS_RESTARTS = 5;

/** Reads the containers of all services. Throws AppFailure when one is gone. */
async function readContainers(work: Work): Promise<Map<string, ContainerInfo>> {
  const found = new Map<string, ContainerInfo>();
  for (const { name } of work.blueprint.project.services) {
    const summary = await findContainer(work, name);
    const info = summary && (await work.engine.inspectContainer(summary.Id));
    if (!info) {
      const cause = `The container of ${name} was removed by somebody else.`;
      throw new AppFailure({ code: "container_gone", cause, next_step: "Try again." });
    }
    found.set(name, info);
  }
  return found;
}

/** Throws AppFailure when waiting for this container makes no sense any more. */
export function assertHope(
  { own }: Pick<Work, "own">,
  service: string,
  { Id, State, RestartCount, HostConfig }: ContainerInfo,
  isOneShot: boolean,
): void {
  const death = own.state.deaths.get(Id);
  // A restarted container has forgotten how it died; the event has not.
  if (State.OOMKilled || death?.is_oom) throw new AppFailure(explainOom(service, HostConfig.Memory));
  const isOver = !State.Running && !State.Restarting && State.Status === "exited";
  if (isOver && !(isOneShot && State.ExitCode === 0)) throw new AppFailure(explainExit(service, State.ExitCode));
  if (RestartCount < HOPELESS_RESTARTS) return;
  const failure = explainExit(service, death?.exit_code ?? State.ExitCode);
  throw new AppFailure({ ...failure, code: "crash_loop", cause: `${failure.cause} It did so ${RestartCount} times.` });
}

/** Why the app does not work yet; null when it does. */
async function findTrouble(work: Work): Promise<string | null> {
  const containers = await readContainers(work);
  const oneShots = oneShotServices(work.blueprint.project);
  let trouble: string | null = null;
  for (const [name, info] of containers) {
    assertHope(work, name, info, oneShots.has(name));
    const { Running, Status, Health } = info.State;
    if (oneShots.has(name)) {
      if (Running) trouble ??= `${name} is still at work`;
      continue;
    }
    if (!Running) trouble ??= `${name} is ${Status}`;
    if (Health && Health.Status !== "healthy" && Health.Status !== "none") trouble ??= describeHealth(name, Health);
  }
  return trouble ?? (await probeManifest(work, containers));
}

function describeHealth(name: string, { Status, Log }: NonNullable<ContainerInfo["State"]["Health"]>): string {
  const last = Log?.at(-1)?.Output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  return last === "" ? `the health check of ${name} says ${Status}` : `the health check of ${name} says: ${last}`;
}

/**
 * Waits until every service runs, every health check passes and the manifest's question is answered, and stays so for a
 * while. Throws AppFailure when that is hopeless or takes longer than the manifest allows.
 */
export async function waitHealthy(work: Work, longestStableMs = LONGEST_STABLE_MS): Promise<void> {
  const { clock } = work.own;
  const { display_name, health } = work.blueprint.manifest;
  const stableMs = Math.min(seconds(health.stable_s), longestStableMs);
  const deadline = clock.monotonic() + seconds(health.start_s);
  let healthySince: number | null = null;
  let last: string | null = null;
  while (true) {
    const trouble = await findTrouble(work);
    work.signal.throwIfAborted();
    const now = clock.monotonic();
    healthySince = trouble === null ? (healthySince ?? now) : null;
    if (healthySince !== null && now - healthySince >= stableMs) return;
    if (trouble !== null && trouble !== last) work.op.log(trouble);
    last = trouble;
    if (now >= deadline && trouble !== null) {
      throw new AppFailure({
        code: "never_healthy",
        cause: `${display_name} did not work within ${health.start_s} seconds: ${trouble}.`,
        next_step: "Look at the last log lines, then try again. A slow server may simply need a second try.",
      });
    }
    await clock.sleep(POLL_MS, work.signal);
  }
}
