import { minutes } from "../../../../lib/duration.ts";
import { type Asker, PANEL } from "../../../platform/operations/index.ts";
import type { Needs } from "../needs.ts";
import { Refused, textOf, type Verb } from "./verb.ts";

type Deps = Pick<Needs, "apps" | "clock">;

const BY_PANEL: Asker = { user_id: PANEL, ip: "" };
const POLL_MS = 250;
const PATIENCE_MS = minutes(10);

/** Waits until nothing works on an app any more. Throws an Error that says how it ended when it did not end well. */
async function settle({ apps, clock }: Deps, id: string, signal: AbortSignal): Promise<string> {
  const end = clock.monotonic() + PATIENCE_MS;
  while (apps.get(id).work !== null) {
    if (signal.aborted) throw new Error("the node was stopped while this was under way");
    if (clock.monotonic() >= end) throw new Error("it has not ended after ten minutes");
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
    try {
      act(BY_PANEL, id);
    } catch (error) {
      throw error instanceof Error ? new Refused(error.message) : error;
    }
    return settle(deps, id, signal);
  },
});

/** `app.start`, `app.stop` and `app.restart`, each with `app_id`. */
export const appVerbs = (deps: Deps): Readonly<Record<string, Verb>> => ({
  "app.start": onApp(deps, deps.apps.startApp, true),
  "app.stop": onApp(deps, deps.apps.stopApp, true),
  "app.restart": onApp(deps, deps.apps.restartApp, false),
});
