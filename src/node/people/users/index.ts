/** Users: the accounts of this node, their roles and passwords. */

import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { userMeanings } from "./events.ts";
import init from "./migrations/0001_users.sql" with { type: "text" };
import profile from "./migrations/0002_profile.sql" with { type: "text" };
import { userRoutes } from "./routes.ts";

export { fail as usersFail, type User } from "./contract.ts";
export {
  type ChangedBy,
  changePassword,
  changeUser,
  createUser,
  getUser,
  resetPassword,
  tellCreated,
} from "./logic.ts";
export { presentUser } from "./present.ts";
export {
  countActiveAdmins,
  countUsers,
  findCredentials,
  findUser,
  isAvatarUsed,
  type UserRow,
  updateAvatar,
} from "./store.ts";

export const users = defineContextFeature<NodeContext>({
  name: "users",
  migrations: [init, profile],
  errors: fail.table,
  events: userMeanings,
  routes: userRoutes,
});
