import type { AnyElysia } from "elysia";
import type { Bus } from "../kernel/bus.ts";
import type { Part } from "../kernel/feature.ts";
import type { accessPlugin } from "../kernel/http/access.ts";
import type { NodePlan } from "../shared/plans/index.ts";
import type { NodeRule } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { Apps } from "./apps/apps/index.ts";
import type { Runtime } from "./apps/runtime/index.ts";
import type { Templates } from "./apps/templates/index.ts";
import type { NodeBase } from "./base.ts";
import type { NodeEvents } from "./events.ts";
import type { SeriesBook } from "./monitoring/metrics/index.ts";
import type { Monitoring } from "./monitoring/wire.ts";
import type { PanelLink } from "./panel-link/panel-link/index.ts";
import type { wirePeople } from "./people/wire.ts";
import type { EventHub } from "./platform/events/index.ts";
import type { Operations } from "./platform/operations/index.ts";
import type { Deliverer } from "./platform/webhooks/index.ts";

/** Everything a feature of the node may use; made once in `create-context.ts`, narrowed with `Pick` where used. */
export interface NodeContext extends NodeBase, Omit<ReturnType<typeof wirePeople>, "parts" | "authorize"> {
  /** Parts of features that say what they need. */
  parts: readonly Part[];
  bus: Bus<NodeEvents>;
  operations: Operations;
  eventHub: EventHub;
  /** The features of monitoring. */
  monitoring: Monitoring;
  /** What was measured: minutes, hours and days. */
  series: SeriesBook["series"];
  /** Takes what is measured; only the collector writes. */
  recorder: SeriesBook["recorder"];
  /** The catalogue of apps that can be installed. */
  templates: Templates;
  /** What is installed. */
  apps: Apps;
  /** Containers. */
  runtime: Runtime;
  /** Sends what webhooks have been told to send. */
  webhooks: Deliverer;
  /** The panel that this node belongs to, if any. */
  panelLink: PanelLink;
  /** The plan in force; that of the configuration while the node belongs to no panel. */
  plan(): NodePlan;
  /** The guard every feature starts its routes with: `new Elysia({ prefix }).use(ctx.guard)`. */
  guard: ReturnType<typeof accessPlugin<Actor, NodeRule>>;
}

export type NodeRoutes = (ctx: NodeContext) => AnyElysia;
