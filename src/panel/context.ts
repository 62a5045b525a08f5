import type { AnyElysia } from "elysia";
import type { Part } from "../kernel/feature.ts";
import type { accessPlugin } from "../kernel/http/access.ts";
import type { Limiter } from "../kernel/http/limit.ts";
import type { Jobs } from "../kernel/jobs.ts";
import type { Log } from "../kernel/log.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { PanelRule } from "./access.ts";
import type { Actor } from "./actor.ts";
import type { AgentPort } from "./agents/agent-port.ts";
import type { LiveStore } from "./agents/live/index.ts";
import type { Nodes } from "./agents/nodes/index.ts";
import type { SampleStore } from "./agents/samples/index.ts";
import type { Commands } from "./changes/commands/index.ts";
import type { PanelConfig } from "./config.ts";
import type { SystemDb } from "./data/tenant-db.ts";
import type { Tokens } from "./people/sessions/index.ts";

/** Everything a feature of the panel may use; made once in `create-context.ts`, narrowed with `Pick` where used. */
export interface PanelContext {
  /** Parts of features that say what they need. */
  parts: readonly Part[];
  config: PanelConfig;
  /** Version of the running program. */
  version: string;
  /** Folder with what the program carries. */
  embedRoot: string;
  log: Log;
  clock: Clock;
  ids: Ids;
  /** The database across workspaces; only the features of an allow-list may name it. Others have `actor.db`. */
  system: SystemDb;
  /** Ends what lasts when the program stops. */
  signal: AbortSignal;
  /** The servers of every workspace. */
  nodes: Nodes;
  /** What waits for them to do. */
  commands: Commands;
  /** Where they talk to the panel. */
  agentPort: AgentPort;
  /** The nodes of all workspaces, in memory. Handlers ask it for `fleetOf(actor)`. */
  live: LiveStore;
  /** What they measured earlier. Handlers have the `history` of their fleet. */
  samples: SampleStore;
  /** Background work that repeats. */
  jobs: Jobs;
  /** Signs and checks tokens. */
  tokens: Tokens;
  /** Wrong passwords in 15 minutes, shared by every way to prove one: 5 for an account, 50 in all, from one network each. */
  attempts: { account: Limiter; network: Limiter };
  /** The guard every feature starts its routes with. */
  guard: ReturnType<typeof accessPlugin<Actor, PanelRule>>;
}

export type PanelRoutes = (ctx: PanelContext) => AnyElysia;
