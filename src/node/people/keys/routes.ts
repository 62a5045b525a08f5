import { Elysia, t } from "elysia";
import { user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { Key, KeyCreated, KeyInput, KeyParams } from "./contract.ts";
import { createKey, listOwnKeys, revokeKey } from "./logic.ts";

export const keyRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/keys" })
    .use(ctx.guard)
    .post("", ({ actor, body, ip }) => createKey(ctx, actor.user_id, body, ip), {
      access: user(),
      body: KeyInput,
      response: KeyCreated,
    })
    .get("", ({ actor }) => listOwnKeys(ctx, actor.user_id), { access: user(), response: t.Array(Key) })
    .delete(
      "/:id",
      ({ actor, params, ip }) => {
        revokeKey(ctx, actor.user_id, params.id, ip);
        return { message: "The key is revoked." };
      },
      { access: user(), params: KeyParams, response: t.Object({ message: t.String() }) },
    );
