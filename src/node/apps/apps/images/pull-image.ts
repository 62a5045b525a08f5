import type { Settings } from "../../../../kernel/settings.ts";
import type { OperationHandle } from "../../../platform/operations/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { AppFailure, explainPull } from "../work/failure.ts";
import { listSources } from "./list-sources.ts";
import { type PullPlace, WAITS } from "./pull-list.ts";
import { pullSource } from "./pull-source.ts";

const PASSING_CODES = ["registry_unreachable", "registry_too_slow", "pull_failed"];

/** For whom an image is pulled: who is told how it goes, and what ends it. */
export interface PullFor {
  engine: Pick<Engine, "pullImage">;
  op: Pick<OperationHandle, "by" | "step" | "progress" | "log">;
  signal: AbortSignal;
}

interface Pulling extends Pick<Own, "clock" | "registries" | "pulls"> {
  settings: Pick<Settings, "get">;
}

/**
 * Pulls an image once there is a place for it, by the logins and the mirror of this node, as a step of an operation: the only way to one.
 * Answers the name to make containers of. What may pass is tried again after each of these times. Throws AppFailure, and EngineError
 * where the engine itself is gone.
 */
export function pullImage(
  own: Pulling,
  { engine, op, signal }: PullFor,
  step: string,
  image: string,
  waitsMs: readonly number[] = [],
): Promise<string> {
  const onWait = () => op.step(step, "running", { text: WAITS, image });
  return own.pulls.run({ image, by: op.by, signal, onWait }, (place) => {
    op.step(step, "running", { image });
    return tryInTurn(own, { engine, op, ...place }, step, image, waitsMs);
  });
}

/** Tries each source in turn, some of them again. */
async function tryInTurn(
  own: Pulling,
  { engine, op, ...place }: PullFor & PullPlace,
  step: string,
  image: string,
  waitsMs: readonly number[],
): Promise<string> {
  const { signal } = place;
  let failure = explainPull(image, "no source");
  for (const { reference, login } of listSources(own, image)) {
    for (const waitMs of [0, ...waitsMs]) {
      if (waitMs > 0) await own.clock.sleep(waitMs, signal);
      signal.throwIfAborted();
      try {
        await pullSource({ clock: own.clock, engine, op, ...place }, step, reference, login);
        return reference;
      } catch (error) {
        signal.throwIfAborted();
        // Nothing came back from the engine itself: that is not the registry's doing.
        if (!(error instanceof EngineError) || error.status === 0) throw error;
        failure = explainPull(image, error.message);
        op.log(`${reference}: ${error.message.trim()}`);
      }
      if (!PASSING_CODES.includes(failure.code)) break;
    }
  }
  throw new AppFailure(failure);
}
