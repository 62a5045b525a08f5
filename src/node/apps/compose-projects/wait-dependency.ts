import { minutes } from "../../../lib/duration.ts";
import type { DependencySpec } from "../compose/index.ts";
import type { Engine } from "../runtime/index.ts";
import type { Own } from "./needs.ts";
import { ProjectFailure } from "./operation.ts";

const POLL_MS = 400;
/** A first start of a database can take this long on a slow disk. */
const LONGEST_MS = minutes(10);

/** Whether a container has reached what others wait for; throws when it never will. */
async function isReached(engine: Engine, container: string, { service, condition }: DependencySpec): Promise<boolean> {
  const info = await engine.inspectContainer(container);
  const hopeless = (why: string) =>
    new ProjectFailure(
      "compose_dependency",
      `${service} ${why}.`,
      "Look at its log, correct the file, then deploy again.",
    );
  if (info === null) throw hopeless("was removed by somebody else");
  const { Running, Restarting, Status, ExitCode, Health } = info.State;
  const isOver = !Running && !Restarting && Status === "exited";
  if (condition === "service_completed_successfully") {
    if (isOver && ExitCode !== 0) throw hopeless(`ended with exit code ${ExitCode}`);
    return isOver;
  }
  if (isOver) throw hopeless(`ended with exit code ${ExitCode}`);
  if (!Health) throw hopeless("has no health check, and another service waits for it to be healthy");
  return Health.Status === "healthy";
}

/** Waits until a dependency is what its condition says. Throws ProjectFailure; one that is not required only warns. */
export async function waitDependency(
  own: Pick<Own, "clock" | "signal">,
  engine: Engine,
  container: string,
  dependency: DependencySpec,
  warn: (text: string) => void,
): Promise<void> {
  if (dependency.condition === "service_started") return;
  const deadline = own.clock.monotonic() + LONGEST_MS;
  try {
    while (!(await isReached(engine, container, dependency))) {
      own.signal.throwIfAborted();
      if (own.clock.monotonic() > deadline) {
        const words = `${dependency.service} did not become ready within ten minutes.`;
        throw new ProjectFailure("compose_dependency", words, "Look at its log, then deploy again.");
      }
      await own.clock.sleep(POLL_MS, own.signal);
    }
  } catch (error) {
    if (dependency.isRequired || !(error instanceof ProjectFailure)) throw error;
    warn(error.message);
  }
}
