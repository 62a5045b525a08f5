import type { Feature } from "../kernel/feature.ts";
import type { NodeContext } from "./context.ts";
import { appLogs } from "./features/app-logs/index.ts";
import { appStats } from "./features/app-stats/index.ts";
import { apps } from "./features/apps/index.ts";
import { auth } from "./features/auth/index.ts";
import { events } from "./features/events/index.ts";
import { lockInfo } from "./features/lock-info/index.ts";
import { operations } from "./features/operations/index.ts";
import { profile } from "./features/profile/index.ts";
import { runtime } from "./features/runtime/index.ts";
import { sessions } from "./features/sessions/index.ts";
import { settings } from "./features/settings/index.ts";
import { setup } from "./features/setup/index.ts";
import { system } from "./features/system/index.ts";
import { templates } from "./features/templates/index.ts";
import { users } from "./features/users/index.ts";

/** Every feature of the node in boot order; this list is the only registration there is. */
export const nodeFeatures: readonly Feature<NodeContext>[] = [
  settings,
  sessions,
  users,
  auth,
  operations,
  events,
  runtime,
  templates,
  apps,
  appLogs,
  appStats,
  system,
  lockInfo,
  setup,
  profile,
];
