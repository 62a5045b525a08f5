import { minutes } from "../../../../lib/duration.ts";
import { getApp, restartApp, startApp, stopApp } from "../../../apps/apps/index.ts";
import type { NodeContext } from "../../../context.ts";
import { type Asker, PANEL } from "../../../platform/operations/index.ts";
import { Refused, textOf, type Verb } from "./verb.ts";

type Act = (ctx: NodeContext, by: Asker, id: string) => { op_id: string | null; status: string };

const BY_PANEL: Asker = { user_id: PANEL, ip: "" };
const POLL_MS = 250;
const PATIENCE_MS = minutes(10);

/** Waits until nothing works on an app any more. Throws an Error that says how it ended when it did not end well. */
async function settle(ctx: NodeContext, id: string, signal: AbortSignal): Promise<string> {
  const end = ctx.clock.monotonic() + PATIENCE_MS;
  while (getApp(ctx, id).work !== null) {
    if (signal.aborted) throw new Error("the node was stopped while this was under way");
    if (ctx.clock.monotonic() >= end) throw new Error("it has not ended after ten minutes");
    await ctx.clock.sleep(POLL_MS, signal);
  }
  const { name, status, cause } = getApp(ctx, id);
  if (status === "error" || status === "degraded")
    throw new Error(`${name} is ${status}: ${cause ?? "no cause known"}`);
  return `${name} is ${status}.`;
}

const onApp = (act: Act, isRepeatable: boolean): Verb => ({
  isRepeatable,
  async run(ctx, payload, { signal }) {
    const id = textOf(payload, "app_id");
    try {
      act(ctx, BY_PANEL, id);
    } catch (error) {
      throw error instanceof Error ? new Refused(error.message) : error;
    }
    return settle(ctx, id, signal);
  },
});

/** `app.start`, `app.stop` and `app.restart`, each with `app_id`. */
export const appVerbs: Readonly<Record<string, Verb>> = {
  "app.start": onApp(startApp, true),
  "app.stop": onApp(stopApp, true),
  "app.restart": onApp(restartApp, false),
};
