/** Profile: how each user likes their dashboard. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import init from "./migrations/0001_preferences.sql" with { type: "text" };
import seenReleases from "./migrations/0002_seen_releases.sql" with { type: "text" };
import { profileRoutes } from "./routes.ts";

export const profile = defineContextFeature<NodeContext>({
  name: "profile",
  migrations: [init, seenReleases],
  routes: profileRoutes,
});
