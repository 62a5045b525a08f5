import { seconds } from "../../../../lib/duration.ts";
import type { DependencySpec, ServiceSpec } from "../../compose/index.ts";
import type { ContainerInfo } from "../../runtime/index.ts";
import { findContainer } from "./ensure.ts";
import { AppFailure, explainExit } from "./failure.ts";
import { assertHope } from "./health.ts";
import type { Work } from "./work.ts";

const POLL_MS = 300;

/** Whether a dependency has come as far as somebody waits for. */
function isReached({ condition }: DependencySpec, { State }: ContainerInfo): boolean {
  switch (condition) {
    case "service_started":
      return State.Running || State.Status === "exited";
    case "service_healthy":
      return State.Running && (State.Health === undefined || State.Health.Status === "healthy");
    case "service_completed_successfully":
      return State.Status === "exited" && State.ExitCode === 0;
  }
}

async function waitFor(work: Work, dependency: DependencySpec): Promise<void> {
  const { clock } = work.own;
  const { health } = work.blueprint.manifest;
  const deadline = clock.monotonic() + seconds(health.start_s);
  const { service, condition } = dependency;
  while (clock.monotonic() < deadline) {
    work.signal.throwIfAborted();
    const found = await findContainer(work, service);
    const info = found && (await work.engine.inspectContainer(found.Id));
    if (info && isReached(dependency, info)) return;
    if (info && condition === "service_completed_successfully" && info.State.Status === "exited") {
      throw new AppFailure(explainExit(service, info.State.ExitCode));
    }
    if (info) assertHope(work, service, info, condition === "service_completed_successfully");
    await clock.sleep(POLL_MS, work.signal);
  }
  throw new AppFailure({
    code: "never_healthy",
    cause: `${service}, which another service waits for, was not ready within ${health.start_s} seconds.`,
    next_step: "Look at its last log lines, then try again.",
  });
}

/** Starts one service once everything that it depends on is ready. Throws AppFailure or EngineError. */
export async function startService(work: Work, service: ServiceSpec): Promise<void> {
  for (const dependency of service.dependsOn) {
    try {
      await waitFor(work, dependency);
    } catch (error) {
      if (dependency.isRequired || !(error instanceof AppFailure)) throw error;
      work.op.log(error.message);
    }
  }
  const container = await findContainer(work, service.name);
  if (!container) throw new Error(`${service.name} has no container`);
  // What killed an earlier run says nothing about this one.
  work.own.state.deaths.delete(container.Id);
  await work.engine.startContainer(container.Id);
}

/** Stops all services, those that others depend on last. */
export async function stopServices(work: Work): Promise<void> {
  for (const service of work.blueprint.project.services.toReversed()) {
    const container = await findContainer(work, service.name);
    if (container) await work.engine.stopContainer(container.Id, null);
  }
}
