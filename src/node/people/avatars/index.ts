/** Avatars: the users' pictures, small, square and without metadata. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { avatarMeanings } from "./events.ts";
import { dropUnusedAvatars } from "./logic.ts";
import init from "./migrations/0001_avatars.sql" with { type: "text" };
import { avatarRoutes } from "./routes.ts";

export const avatars = defineContextFeature<NodeContext>({
  name: "avatars",
  migrations: [init],
  errors: fail.table,
  events: avatarMeanings,
  routes: avatarRoutes,
  subscribe(ctx) {
    // In the transaction that deletes the account: a picture of somebody who is gone stays nowhere.
    ctx.bus.onEmit((name) => {
      if (name === "user.deleted") dropUnusedAvatars(ctx);
    });
  },
});
