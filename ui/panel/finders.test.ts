import { afterEach, expect, test } from "bun:test";
import { user } from "./client/session.ts";
import type { User } from "./client/types.ts";
import { chatFinder } from "./people/chat-channels/finder.ts";
import { invitationsFinder } from "./people/invitations/finder.ts";
import { scimFinder } from "./people/scim/finder.ts";
import { ssoFinder } from "./people/sso/finder.ts";
import { supportFinder } from "./people/staff/finder.ts";
import { workspacesFinder } from "./people/workspaces/finder.ts";

const FINDERS = [chatFinder, invitationsFinder, scimFinder, ssoFinder, supportFinder, workspacesFinder];

afterEach(() => {
  user.value = undefined;
});

function titles(role: User["role"], is_staff: boolean): string[] {
  user.value = { role, ...(is_staff ? { global_role: "admin" } : {}) } as User;
  return FINDERS.flatMap(({ list }) => list?.().map(({ title }) => title) ?? []);
}

test("settings are found by those who may change them, and staff is no more than its role here", () => {
  const all = ["Add workspace", "What the workspace is called"];
  const admins = ["Access for support", "Chat rooms", "Directory (SCIM)", "Invitations", "Single sign-on"];
  expect(titles("org_owner", false).toSorted()).toEqual([...all, ...admins, "Delete this workspace"].toSorted());
  expect(titles("org_admin", false).toSorted()).toEqual([...all, ...admins].toSorted());
  for (const role of ["org_manager", "org_viewer", "org_teacher"] as const)
    expect(titles(role, true).toSorted()).toEqual(all);
});
