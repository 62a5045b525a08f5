import type { Routes } from "../../client/routes.ts";

/** A workspace as the staff sees it. */
export type StaffWorkspace = Routes["GET /api/staff/workspaces"]["out"]["items"][number];
/** Whether the workspace lets staff in, and who came. */
export type Permits = Routes["GET /api/support-access"]["out"];
