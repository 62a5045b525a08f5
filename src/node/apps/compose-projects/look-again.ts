import { minutes } from "../../../lib/duration.ts";
import { createTurns, type Turns } from "../../../lib/turns.ts";
import type { Host } from "../../machine/index.ts";
import type { PlanDanger } from "./contract.ts";
import type { Deploy } from "./deploy-state.ts";
import { findDangers, lookAtEngine } from "./find-dangers.ts";
import { ProjectFailure } from "./operation.ts";
import { isOuterDanger } from "./outer-paths.ts";

/** Images are here by then: only an engine that hangs takes longer. */
const LONGEST_TURN_MS = minutes(15);

/** Turns of the deploys of a node: what one of them sees is so until it has made its part, as far as it is up to the others. */
export const createMakingTurns = (clock: Host["clock"]): Turns =>
  createTurns(
    clock,
    LONGEST_TURN_MS,
    () =>
      new ProjectFailure(
        "compose_refused",
        "Docker has not made this within 15 minutes, and others wait for their turn.",
        "See to what Docker does on the server, then deploy again.",
      ),
  );

/** What tells a danger from another. Of what lies in a folder that is written to, each is confirmed for itself. */
const keyOf = (danger: PlanDanger): string => (isOuterDanger(danger) ? `${danger.id}\n${danger.text}` : danger.id);

/** Throws ProjectFailure where the project would have a power over this server that its plan did not name. */
async function lookAgain({ own, engine, target, plan }: Deploy): Promise<void> {
  const confirmed = new Set(plan.dangers.map(keyOf));
  const found = await findDangers(own, target, await lookAtEngine(engine));
  const [first, ...more] = found.filter((danger) => !confirmed.has(keyOf(danger)));
  if (first === undefined) return;
  const rest = more.length === 0 ? "" : ` There is more of the kind: ${more.length}.`;
  throw new ProjectFailure(
    "compose_unconfirmed",
    `Something came in between since the plan was shown: ${first.text}${rest}`,
    "Look at the new plan, then confirm it.",
  );
}

/**
 * Makes a part of a project, in a turn that no other deploy has meanwhile and after one more look: images may have taken long to come,
 * and others may have been deployed since the plan. What makes it asks `end` before each piece, for its turn may be over.
 */
export const makeInTurn = (deploy: Deploy, make: (end: AbortSignal) => Promise<void>): Promise<void> =>
  deploy.own.turns(async (end) => {
    await lookAgain(deploy);
    await make(end);
  });
