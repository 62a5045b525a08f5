import type { SearchSource } from "../../base.ts";
import { findMembersByText } from "./store.ts";

const ROLES = {
  org_owner: "Owner",
  org_admin: "Admin",
  org_manager: "Manager",
  org_viewer: "Viewer",
  org_teacher: "Teacher",
} as const;

/** Finds members of the caller's workspace by a part of their name or address; those whose name begins with it first. */
export const searchMembers: SearchSource = {
  source: "members",
  async find({ db }, text, limit) {
    const rows = await findMembersByText(db, text, limit);
    return rows.map(({ id, display_name, email, role, status }) => ({
      id,
      title: display_name,
      snippet: `${email}, ${status === "active" ? ROLES[role] : "no access"}`,
      path: "/team",
      icon: "users",
    }));
  },
};
