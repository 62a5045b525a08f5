import { seconds } from "../../../../lib/duration.ts";
import { EngineError } from "../../runtime/index.ts";
import { AppFailure, explainPull } from "../work/failure.ts";
import type { Work } from "../work/work.ts";
import { loginFor, parseLogins, parseMirrors, pullSources } from "./image-reference.ts";
import { createPullProgress } from "./pull-progress.ts";

/** Time between two progress events of a pull. */
const REPORT_MS = 250;
/** A pull that says nothing for so long is given up: the engine repeats its figures several times a second. */
const SILENCE_MS = seconds(180);
const RETRY_WAITS_MS = [seconds(1), seconds(4)];
const PASSING_CODES = ["registry_unreachable", "pull_failed"];

/** Makes sure that the image is here and returns the reference to create containers from. Throws AppFailure. */
export async function ensureImage(work: Work, step: string, image: string): Promise<string> {
  const { own, engine, op } = work;
  const sources = pullSources(image, parseMirrors(own.settings.get("apps.registry_mirror")));
  for (const reference of [image, ...sources]) {
    if (await engine.findImage(reference)) return reference;
  }
  const logins = parseLogins(own.settings.get("apps.registry_credentials"));
  let failure = explainPull(image, "no source");
  for (const source of sources) {
    for (const waitMs of [0, ...RETRY_WAITS_MS]) {
      await own.clock.sleep(waitMs, work.signal);
      work.signal.throwIfAborted();
      try {
        await pullOnce(work, step, source, loginFor(source, logins));
        return source;
      } catch (error) {
        work.signal.throwIfAborted();
        // Nothing came back from the engine itself: that is not the registry's doing.
        if (!(error instanceof EngineError) || error.status === 0) throw error;
        failure = explainPull(image, error.message);
        op.log(`${source}: ${error.message.trim()}`);
      }
      if (!PASSING_CODES.includes(failure.code)) break;
    }
  }
  throw new AppFailure(failure);
}

async function pullOnce(
  { own, engine, op, signal }: Work,
  step: string,
  source: string,
  login: ReturnType<typeof loginFor>,
): Promise<void> {
  const { clock } = own;
  const progress = createPullProgress();
  const silence = new AbortController();
  let cancelWatch = () => {};
  let reportedAt = Number.NEGATIVE_INFINITY;
  const watch = () => {
    cancelWatch();
    cancelWatch = clock.after(SILENCE_MS, () => silence.abort());
  };
  watch();
  try {
    await engine.pullImage(source, {
      login,
      signal: AbortSignal.any([signal, silence.signal]),
      onLine(line) {
        watch();
        const now = progress.add(line);
        if (clock.monotonic() - reportedAt < REPORT_MS && now.percent !== 100) return;
        reportedAt = clock.monotonic();
        op.progress(step, now);
      },
    });
  } catch (error) {
    if (silence.signal.aborted) throw new EngineError(504, "timeout: the registry fell silent");
    throw error;
  } finally {
    cancelWatch();
  }
}
