import { Elysia, t } from "elysia";
import { admin } from "../../../kernel/http/access.ts";
import type { NodeRoutes } from "../../context.ts";
import { User, UserChange, UserInput, UserParams } from "./contract.ts";
import { changeUser, createUser } from "./logic.ts";
import { presentUser } from "./present.ts";
import { listUsers } from "./store.ts";

export const userRoutes: NodeRoutes = (ctx) =>
  new Elysia({ prefix: "/api/users" })
    .use(ctx.guard)
    .get("", () => listUsers(ctx.db).map(presentUser), { access: admin("users"), response: t.Array(User) })
    .post("", ({ body }) => createUser(ctx, body), { access: admin("users"), body: UserInput, response: User })
    .patch("/:id", ({ params, body }) => changeUser(ctx, params.id, body), {
      access: admin("users"),
      params: UserParams,
      body: UserChange,
      response: User,
    });
