import { seconds } from "../../../../lib/duration.ts";
import { explainPull, listSources } from "../../apps/index.ts";
import { type Engine, EngineError } from "../../runtime/index.ts";
import type { Own } from "../needs.ts";
import { registryOf } from "./image-name.ts";
import { endRest, isResting, letRest, type RestCause } from "./rests.ts";
import { readRests } from "./store.ts";

type Deps = Pick<Own, "db" | "clock" | "signal" | "settings" | "registries">;

/** As long as a registry is waited for. */
const ANSWER_MS = seconds(15);
/** Without an answer of the engine only this is about the registry: it was not waited for any longer. */
const GIVEN_UP = "ABORT_ERR";
const BROKEN = /unexpected (http )?status(?: code)?:? 5\d\d/i;

/** What the tag stands for, why that is not told, or that all who could be asked rest now. */
export type Answer =
  | { kind: "digest"; digest: string; architectures: string[] }
  | { kind: "refused"; failure: string }
  | { kind: "resting" };

type Source = ReturnType<typeof listSources>[number];

/** Whom to ask for a tag now, in the order of a pull: those that do not rest. */
export function listAwake({ db, clock, ...own }: Omit<Deps, "signal">, reference: string): Source[] {
  const rests = readRests(db);
  return listSources(own, reference).filter(
    (source) => !isResting(rests.get(registryOf(source.reference)), clock.now()),
  );
}

/** The registry's part in a failure; null where it is about the image alone. */
function causeOf(status: number, message: string, code: string): RestCause | null {
  if (status === 429 || code === "registry_rate_limit") return "registry_rate_limit";
  return status === 0 || code === "registry_unreachable" || BROKEN.test(message) ? "registry_unreachable" : null;
}

/**
 * Asks what a tag stands for, by the engine, which has the certificates and the ways that a pull has. A registry that has enough or is
 * not reached rests from then on. Throws EngineError when the engine itself does not answer, or the program stops.
 */
export async function askRegistry(own: Deps, engine: Pick<Engine, "checkImage">, reference: string): Promise<Answer> {
  let answer: Answer = { kind: "resting" };
  for (const source of listAwake(own, reference)) {
    const registry = registryOf(source.reference);
    try {
      const { Descriptor, Platforms } = await engine.checkImage(source.reference, source.login, ANSWER_MS, own.signal);
      endRest(own, registry);
      const architectures = (Platforms ?? []).map(({ architecture }) => architecture);
      return { kind: "digest", digest: Descriptor.digest, architectures };
    } catch (error) {
      if (!(error instanceof EngineError) || own.signal.aborted) throw error;
      const { status, message } = error;
      if (status === 0 && error.code !== GIVEN_UP) throw error;
      const { code } = explainPull(source.reference, message);
      const cause = causeOf(status, message, code);
      if (cause === null) {
        endRest(own, registry);
        answer = { kind: "refused", failure: code === "pull_failed" ? "image_not_told" : code };
      } else letRest(own, registry, cause);
    }
  }
  return answer;
}
