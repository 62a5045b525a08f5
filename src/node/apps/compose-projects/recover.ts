import { type Engine, EngineError } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import { finishDeploy, goBack } from "./go-back.ts";
import type { Own } from "./needs.ts";
import { type Deploying, findDeploying, listDeploying } from "./store.ts";

/** Ends a deploy that was cut off, on what was there before or, when that was decided already, on what is new. */
async function recover(own: Own, engine: Engine, deploying: Deploying): Promise<void> {
  const { project, opId, isDecided } = deploying;
  const op = own.operations.resume(opId);
  op?.restarted(isDecided ? "It goes on." : "What was there before is brought back.");
  if (isDecided) {
    await finishDeploy(own, engine, deploying);
    return op?.done();
  }
  const isBack = await goBack(own, engine, deploying);
  op?.fail({
    code: "interrupted",
    message: `The node stopped while ${project} was deployed.${isBack ? " What was there before runs again." : ""}`,
    next_step: "Deploy it once more.",
  });
}

/** Ends what is left of a deploy of this project, if anything is. Throws `compose_unfinished`. */
export async function recoverProject(own: Own, engine: Engine, project: string): Promise<void> {
  const deploying = findDeploying(own.db, project);
  if (!deploying) return;
  try {
    await recover(own, engine, deploying);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    throw fail("compose_unfinished", { name: project, reason: error.message });
  }
}

/** Ends all deploys that were cut off. */
export async function recoverProjects(own: Own, engine: Engine): Promise<void> {
  for (const deploying of listDeploying(own.db)) {
    if (own.signal.aborted) return;
    if (own.busy.has(deploying.project)) continue;
    own.busy.add(deploying.project);
    try {
      await recover(own, engine, deploying);
    } catch (error) {
      own.log.warn("a deploy that was cut off could not be ended", { project: deploying.project, error });
    } finally {
      own.busy.delete(deploying.project);
    }
  }
}
