import { Elysia } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { LastSeenRelease, Preferences, PreferencesChange } from "./contract.ts";
import { changePreferences, readPreferences } from "./logic.ts";
import { findSeenRelease, saveSeenRelease } from "./store.ts";

export const profileRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/profile" })
    .use(ctx.guard)
    .get("/preferences", ({ actor }) => readPreferences(ctx, actor.user_id), {
      access: user(),
      response: Preferences,
    })
    .put("/preferences", ({ actor, body }) => changePreferences(ctx, actor.user_id, body), {
      access: user(),
      body: PreferencesChange,
      response: Preferences,
    })
    .get("/last-seen-release", ({ actor }) => ({ version: findSeenRelease(ctx.db, actor.user_id) }), {
      access: user(),
      response: LastSeenRelease,
    })
    .put(
      "/last-seen-release",
      ({ actor, body }) => {
        saveSeenRelease(ctx.db, actor.user_id, body.version);
        return { version: body.version };
      },
      { access: user(), body: LastSeenRelease, response: LastSeenRelease },
    );
