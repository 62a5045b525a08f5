import { seconds } from "../../../../lib/duration.ts";
import { EngineError } from "../../runtime/index.ts";
import { AppFailure, explainPull } from "../work/failure.ts";
import type { Work } from "../work/work.ts";
import { listSources } from "./list-sources.ts";
import { type PullPlace, WAITS } from "./pull-list.ts";
import { pullSource } from "./pull-source.ts";

const RETRY_WAITS_MS = [seconds(1), seconds(4)];
const PASSING_CODES = ["registry_unreachable", "registry_too_slow", "pull_failed"];

/** The reference under which an image is here; null where it is not. */
export async function findImageHere({ own, engine }: Pick<Work, "own" | "engine">, image: string) {
  for (const reference of [image, ...listSources(own, image).map((source) => source.reference)]) {
    if (await engine.findImage(reference)) return reference;
  }
  return null;
}

/** Makes sure that the image is here and returns the reference to create containers from. Throws AppFailure. */
export async function ensureImage(work: Work, step: string, image: string): Promise<string> {
  const { own, op } = work;
  const known = await findImageHere(work, image);
  if (known !== null) return known;
  const onWait = () => op.step(step, "running", { text: WAITS, image });
  return await own.pulls.run({ image, by: op.by, signal: work.signal, onWait }, async (place) => {
    op.step(step, "running", { image });
    return await pullImage(work, step, image, place);
  });
}

/** Tries each source in turn, some of them again. */
async function pullImage({ own, engine, op }: Work, step: string, image: string, place: PullPlace): Promise<string> {
  const { signal } = place;
  let failure = explainPull(image, "no source");
  for (const { reference, login } of listSources(own, image)) {
    for (const waitMs of [0, ...RETRY_WAITS_MS]) {
      await own.clock.sleep(waitMs, signal);
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
