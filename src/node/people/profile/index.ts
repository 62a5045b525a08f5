/** Profile: how each user likes their dashboard. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import init from "./migrations/0001_preferences.sql" with { type: "text" };
import seenReleases from "./migrations/0002_seen_releases.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindProfileRoutes } from "./routes.ts";

export const profileFeature = defineFeature({ name: "profile", migrations: [init, seenReleases] });

export const createProfile = (needs: Needs): Part => ({ feature: profileFeature, routes: [bindProfileRoutes(needs)] });
