/** Users: the accounts of this node, their roles and passwords. */

import { defineFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import init from "./migrations/0001_users.sql" with { type: "text" };
import { userRoutes } from "./routes.ts";

export type { User } from "./contract.ts";
export { changePassword, createUser, resetPassword } from "./logic.ts";
export { presentUser } from "./present.ts";
export { countUsers, findCredentials, findUser, type UserRow } from "./store.ts";

export const users = defineFeature<NodeContext>({
  name: "users",
  requires: ["sessions"],
  migrations: [init],
  errors: fail.table,
  routes: userRoutes,
});
