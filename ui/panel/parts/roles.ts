import type { RoleName } from "../client/types.ts";

/** What each role is called. */
export const roleNames: Record<RoleName, string> = {
  org_owner: "Owner",
  org_admin: "Admin",
  org_manager: "Manager",
  org_viewer: "Viewer",
  org_teacher: "Teacher",
};

/** What each role may do, the one that may most first. */
export const roleRights: { role: RoleName; may: string }[] = [
  { role: "org_owner", may: "Everything, also making others owners." },
  { role: "org_admin", may: "Everything but changing owners: nodes, terminals, settings, roles, the audit log." },
  { role: "org_manager", may: "Adds and changes nodes; reads settings." },
  { role: "org_viewer", may: "Sees nodes and settings, changes nothing." },
  { role: "org_teacher", may: "Sees neither nodes nor settings." },
];
