/** Workspaces: which ones an account is in, making one, moving between them and leaving. */
import { defineContextFeature } from "../../context.ts";
import { fail } from "./contract.ts";
import { workspaceMeanings } from "./events.ts";
import { workspaceRoutes } from "./routes.ts";

export const workspaces = defineContextFeature({
  name: "workspaces",
  errors: fail.table,
  routes: workspaceRoutes,
  events: workspaceMeanings,
});
