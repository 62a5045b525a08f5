import { expect, test } from "bun:test";
import type { Member, RoleName } from "../../client/types.ts";
import { roleChoice } from "./rules.ts";

const member = (id: string, role: RoleName, status: Member["status"] = "active"): Member => ({
  id,
  email: `${id}@example.org`,
  display_name: id,
  role,
  status,
  presence: "offline",
  last_seen_at: null,
  current_page: null,
});
const owner = { role: "org_owner", mayManage: true } as const;
const admin = { role: "org_admin", mayManage: true } as const;

test("owners give every role, admins every one but theirs", () => {
  const team = [member("a", "org_owner"), member("b", "org_viewer")];
  const [, viewer] = team;
  if (!viewer) throw new Error("no viewer");
  expect(roleChoice(viewer, team, owner).roles).toContain("org_owner");
  expect(roleChoice(viewer, team, admin).roles).toEqual(["org_admin", "org_manager", "org_viewer", "org_teacher"]);
  expect(roleChoice(viewer, team, { role: "org_manager", mayManage: false })).toEqual({ roles: null, why: null });
});

test("an owner stays as long as nobody else is one who can enter", () => {
  const only = member("a", "org_owner");
  expect(roleChoice(only, [only, member("b", "org_admin")], owner)).toMatchObject({
    roles: null,
    why: expect.stringContaining("only owner"),
  });
  expect(roleChoice(only, [only, member("b", "org_owner", "disabled")], owner).roles).toBeNull();
  expect(roleChoice(only, [only, member("b", "org_owner")], owner).roles).not.toBeNull();
  expect(roleChoice(only, [only, member("b", "org_owner")], admin)).toMatchObject({
    why: expect.stringContaining("Only an owner"),
  });
});
