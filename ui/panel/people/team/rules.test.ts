import { expect, test } from "bun:test";
import type { RoleName, TeamMember } from "../../client/types.ts";
import { mayRemove, mayRestore, roleChoice } from "./rules.ts";

const member = (id: string, role: RoleName, status: TeamMember["status"] = "active"): TeamMember => ({
  id,
  email: `${id}@example.org`,
  display_name: id,
  role,
  status,
  presence: "offline",
  last_seen_at: null,
  current_page: null,
  second_factor: null,
  mail: null,
  is_visitor: false,
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

test("who manages people removes others, owners only as an owner, and nobody twice", () => {
  const as = (role: RoleName, id = "me", mayManage = true) => ({ id, role, mayManage });
  expect(mayRemove(member("a", "org_viewer"), as("org_admin"))).toBe(true);
  expect(mayRemove(member("a", "org_owner"), as("org_admin"))).toBe(false);
  expect(mayRemove(member("a", "org_owner"), as("org_owner"))).toBe(true);
  expect(mayRemove(member("me", "org_owner"), as("org_owner"))).toBe(false);
  expect(mayRemove(member("a", "org_viewer", "disabled"), as("org_owner"))).toBe(false);
  expect(mayRemove(member("a", "org_viewer"), as("org_manager", "me", false))).toBe(false);
});

test("whoever may remove somebody may take them back", () => {
  const gone = member("b", "org_viewer", "disabled");
  const goneOwner = member("c", "org_owner", "disabled");
  expect([mayRestore(gone, admin), mayRestore(goneOwner, admin), mayRestore(goneOwner, owner)]).toEqual([
    true,
    false,
    true,
  ]);
  expect(mayRestore(member("d", "org_viewer"), owner)).toBe(false);
  expect(mayRestore(gone, { role: "org_viewer", mayManage: false })).toBe(false);
});

test("whom a permit brought is taken out, let in and changed by the permit alone", () => {
  const visitor = { ...member("a", "org_viewer"), is_visitor: true };
  const gone = { ...member("a", "org_viewer", "disabled"), is_visitor: true };
  expect(mayRemove(visitor, { ...owner, id: "me" })).toBe(false);
  expect(mayRestore(gone, owner)).toBe(false);
  expect(roleChoice(visitor, [visitor], owner)).toEqual({ roles: null, why: null });
});
