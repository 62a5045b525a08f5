import type { AnyElysia } from "elysia";
import type { ContextFeature, Part } from "../kernel/feature.ts";
import type { accessPlugin } from "../kernel/http/access.ts";
import type { PanelRule } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { AgentPort } from "./agents/agent-port/index.ts";
import type { Live } from "./agents/live/index.ts";
import type { Nodes } from "./agents/nodes/index.ts";
import type { Samples } from "./agents/samples/index.ts";
import type { PanelBase, PanelBus } from "./base.ts";
import type { Commands } from "./changes/commands/index.ts";
import type { SystemDb } from "./data/tenant-db.ts";
import type { PanelFeature } from "./event-meaning.ts";
import type { PanelEvents } from "./events.ts";
import type { Sessions } from "./people/sessions/index.ts";
import type { Tenants } from "./people/tenants/index.ts";

/** Everything a feature of the panel may use; made once in `create-context.ts`, narrowed with `Pick` where used. */
export interface PanelContext extends PanelBase {
  bus: PanelBus<PanelEvents>;
  tenants: Tenants;
  sessions: Sessions;
  /** Whether the database answers. */
  isAlive(): boolean;
  /** Parts of features that say what they need. */
  parts: readonly Part[];
  /** The database across workspaces; only the features of an allow-list may name it. Others have `actor.db`. */
  system: SystemDb;
  /** The servers of every workspace. */
  nodes: Nodes;
  /** What waits for them to do. */
  commands: Commands;
  /** Where they talk to the panel. */
  agentPort: AgentPort;
  /** The nodes of all workspaces, in memory. Handlers ask it for `fleetOf(actor)`. */
  live: Live;
  /** What they measured earlier. Handlers have the `history` of their fleet. */
  samples: Samples;
  /** The guard every feature starts its routes with. */
  guard: ReturnType<typeof accessPlugin<Actor, PanelRule>>;
}

export type PanelRoutes = (ctx: PanelContext) => AnyElysia;

/** A feature that is given the whole context. */
export type PanelContextFeature = ContextFeature<PanelContext> & PanelFeature;

export const defineContextFeature = (feature: PanelContextFeature): PanelContextFeature => feature;
