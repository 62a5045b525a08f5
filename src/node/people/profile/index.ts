/** Profile: how each user likes their dashboard. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import init from "./migrations/0001_preferences.sql" with { type: "text" };
import seenReleases from "./migrations/0002_seen_releases.sql" with { type: "text" };
import { profileRoutes } from "./routes.ts";

export const profile = defineFeature<NodeContext>({
  name: "profile",
  requires: ["users", "system"],
  migrations: [init, seenReleases],
  routes: profileRoutes,
});
