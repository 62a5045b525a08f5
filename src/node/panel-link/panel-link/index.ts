/** Panel link: the panel that this node belongs to, if any: heartbeats, commands, certificate and plan. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import { days, hours, seconds } from "../../../lib/duration.ts";
import { withPatience } from "../../../lib/patience.ts";
import type { NodeContext } from "../../context.ts";
import { deleteOldCommands } from "./command-store.ts";
import { createExecutor } from "./commands/executor.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_panel_link.sql" with { type: "text" };
import { panelLinkRoutes } from "./routes.ts";
import { runPanelLink } from "./run.ts";

export { type ConnectDeps, connectPanel } from "./connect.ts";
export { type ConnectLine, checkConnectLine, readConnectLine } from "./connect-line.ts";
export { disconnectPanel } from "./disconnect.ts";
export { createPanelLink, type LinkedPanel, type PanelLink } from "./link.ts";
export { hasHeartbeat } from "./link-store.ts";
export { CALLBACK_PATH, readSignInUrls } from "./report/sign-in-urls.ts";

/** A command that takes longer is judged by the next start. */
const STOP_MS = seconds(2);
const running = new WeakMap<NodeContext, Promise<void>>();

export const panelLink = defineContextFeature<NodeContext>({
  name: "panel-link",
  migrations: [init],
  errors: fail.table,
  routes: panelLinkRoutes,
  jobs: ({ db, clock }) => [
    {
      name: "panel.forget_commands",
      everyMs: hours(6),
      run: () => deleteOldCommands(db, clock.now() - days(30), clock.now() - days(180)),
    },
  ],
  start(ctx) {
    const executor = createExecutor(ctx);
    executor.recover();
    ctx.panelLink.on("work", executor.work);
    executor.work();
    running.set(ctx, runPanelLink(ctx).then(executor.idle));
  },
  stop: (ctx) => withPatience(ctx.clock, STOP_MS, Promise.resolve(running.get(ctx))).catch(() => {}),
});
