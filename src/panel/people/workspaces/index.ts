/** Workspaces: which ones an account is in, making one, moving between them and leaving. */
import { defineFeature } from "../../../kernel/feature.ts";
import type { PanelContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { workspaceRoutes } from "./routes.ts";

export const workspaces = defineFeature<PanelContext>({
  name: "workspaces",
  requires: ["audit", "tenants", "sessions"],
  errors: fail.table,
  routes: workspaceRoutes,
});
