import type { RoleName } from "../client/types.ts";

/** What each role is called. */
export const roleNames: Record<RoleName, string> = {
  org_owner: "Owner",
  org_admin: "Admin",
  org_manager: "Manager",
  org_viewer: "Viewer",
  org_teacher: "Teacher",
};
