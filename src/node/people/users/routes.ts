import { Elysia, t } from "elysia";
import { noContent } from "../../../kernel/http/answers.ts";
import { admin } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { User, UserChange, UserCreated, UserInput, UserParams } from "./contract.ts";
import { addUser, changeUser, removeUser } from "./logic.ts";
import { presentUser } from "./present.ts";
import { listUsers } from "./store.ts";

export const userRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/users" })
    .use(ctx.guard)
    .get("", () => listUsers(ctx.db).map(presentUser), { access: admin("users"), response: t.Array(User) })
    .post("", ({ actor, ip, body }) => addUser(ctx, { actor_id: actor.user_id, ip }, body), {
      access: admin("users"),
      body: UserInput,
      response: UserCreated,
    })
    .patch("/:id", ({ actor, ip, params, body }) => changeUser(ctx, { actor_id: actor.user_id, ip }, params.id, body), {
      access: admin("users"),
      params: UserParams,
      body: UserChange,
      response: User,
    })
    .delete(
      "/:id",
      ({ actor, ip, params, set }) => {
        removeUser(ctx, { actor_id: actor.user_id, ip }, params.id);
        set.status = 204;
      },
      { access: admin("users"), params: UserParams, ...noContent() },
    );
