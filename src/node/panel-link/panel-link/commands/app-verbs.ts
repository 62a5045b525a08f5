import { minutes } from "../../../../lib/duration.ts";
import { type Asker, PANEL } from "../../../platform/operations/index.ts";
import type { Needs } from "../needs.ts";
import { type Payload, Refused, textOf, type Verb } from "./verb.ts";

type Deps = Pick<Needs, "apps" | "clock" | "runtime">;

const BY_PANEL: Asker = { user_id: PANEL, ip: "" };
const POLL_MS = 250;
const PATIENCE_MS = minutes(10);
/** An update copies data first, and watches the new version. */
const UPDATE_PATIENCE_MS = minutes(25);

/** How long after the start of the program an engine may come: the two are often started together. */
const ENGINE_PATIENCE_MS = minutes(2);

/** Lets a command wait for the engine while the program has just been started, and go on then, whether it is there or not. */
function awaitingEngine({ runtime, clock }: Deps, verb: Verb): Verb {
  const end = clock.monotonic() + ENGINE_PATIENCE_MS;
  return {
    isRepeatable: verb.isRepeatable,
    async run(payload, job) {
      while (runtime.engine() === null && clock.monotonic() < end && !job.signal.aborted)
        await clock.sleep(POLL_MS, job.signal);
      job.signal.throwIfAborted();
      return verb.run(payload, job);
    },
  };
}

/** Waits until nothing works on an app any more. Throws an Error that says how it ended when it did not end well. */
async function settle({ apps, clock }: Deps, id: string, signal: AbortSignal, patience = PATIENCE_MS): Promise<string> {
  const end = clock.monotonic() + patience;
  while (apps.get(id).work !== null) {
    if (signal.aborted) throw new Error("the node was stopped while this was under way");
    if (clock.monotonic() >= end) throw new Error(`it has not ended after ${patience / minutes(1)} minutes`);
    await clock.sleep(POLL_MS, signal);
  }
  const { name, status, cause } = apps.get(id);
  if (status === "error" || status === "degraded")
    throw new Error(`${name} is ${status}: ${cause ?? "no cause known"}`);
  return `${name} is ${status}.`;
}

const onApp = (deps: Deps, act: (by: Asker, id: string) => unknown, isRepeatable: boolean): Verb => ({
  isRepeatable,
  async run(payload, { signal }) {
    const id = textOf(payload, "app_id");
    await begin(() => act(BY_PANEL, id));
    return settle(deps, id, signal);
  },
});

/** What begins, or a refusal: nothing was done then. */
async function begin(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw error instanceof Error ? new Refused(error.message) : error;
  }
}

const versionIn = (payload: Payload): string | null =>
  payload["version"] === undefined ? null : textOf(payload, "version");

/** Updates an app, to the newest version of the catalogue or to the one that is named, if that is the newest. */
const update = (deps: Deps): Verb => ({
  isRepeatable: false,
  async run(payload, { signal }) {
    const id = textOf(payload, "app_id");
    const wanted = versionIn(payload);
    const { version: before, name } = await found(deps, id);
    if (before === wanted) return `${name} is on ${wanted} already.`;
    await begin(() => deps.apps.updateApp(BY_PANEL, id, wanted === null ? {} : { version: wanted }));
    const end = await settle(deps, id, signal, UPDATE_PATIENCE_MS);
    const { version } = deps.apps.get(id);
    if (version === before) throw new Error(`${name} did not work on the new version and is back on ${version}`);
    return `${end} It is on ${version} now.`;
  },
});

/** Takes the latest update of an app back, with its data as it was; only from the version that is named, if one is. */
const rollback = (deps: Deps): Verb => ({
  isRepeatable: false,
  async run(payload, { signal }) {
    const id = textOf(payload, "app_id");
    const from = versionIn(payload);
    const { version: before, name } = await found(deps, id);
    if (from !== null && before !== from) return `${name} is on ${before}: nothing to take back.`;
    await begin(() => deps.apps.rollBackApp(BY_PANEL, id));
    const end = await settle(deps, id, signal, UPDATE_PATIENCE_MS);
    const { version } = deps.apps.get(id);
    if (version === before) throw new Error(`${name} is still on ${version}`);
    return `${end} It is on ${version} again.`;
  },
});

/** The app as it is. Throws `Refused` when there is none. */
async function found({ apps }: Deps, id: string): Promise<ReturnType<Deps["apps"]["get"]>> {
  await begin(() => apps.get(id));
  return apps.get(id);
}

/** `app.start`, `app.stop` and `app.restart`, each with `app_id`; `app.update` and `app.rollback`, which may name a `version`. */
export function appVerbs(deps: Deps): Readonly<Record<string, Verb>> {
  const verbs = {
    "app.start": onApp(deps, deps.apps.startApp, true),
    "app.stop": onApp(deps, deps.apps.stopApp, true),
    "app.restart": onApp(deps, deps.apps.restartApp, false),
    "app.update": update(deps),
    "app.rollback": rollback(deps),
  };
  return Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [name, awaitingEngine(deps, verb)]));
}
