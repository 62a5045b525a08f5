/** Avatars: the users' pictures, small, square and without metadata. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { fail } from "./contract.ts";
import { avatarMeanings } from "./events.ts";
import { dropUnusedAvatars } from "./logic.ts";
import init from "./migrations/0001_avatars.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { bindAvatarRoutes } from "./routes.ts";

export const avatarsFeature = defineFeature({
  name: "avatars",
  events: avatarMeanings,
  migrations: [init],
  errors: fail.table,
});

export const createAvatars = (needs: Needs): Part => ({
  feature: avatarsFeature,
  routes: [bindAvatarRoutes(needs)],
  subscribe() {
    // In the transaction that deletes the account: a picture of somebody who is gone stays nowhere.
    needs.bus.onEmit((name) => {
      if (name === "user.deleted") dropUnusedAvatars(needs);
    });
  },
});
