import { afterEach, expect, test } from "bun:test";
import { here } from "./changes/commands/ask.ts";
import { user } from "./client/session.ts";
import type { User } from "./client/types.ts";
import { nodeLogsFinder } from "./fleet/node-logs/finder.ts";
import { nodeTerminalsFinder } from "./fleet/node-terminals/finder.ts";
import { chatFinder } from "./people/chat-channels/finder.ts";
import { invitationsFinder } from "./people/invitations/finder.ts";
import { scimFinder } from "./people/scim/finder.ts";
import { ssoFinder } from "./people/sso/finder.ts";
import { supportFinder } from "./people/staff/finder.ts";
import { workspacesFinder } from "./people/workspaces/finder.ts";

const FINDERS = [chatFinder, invitationsFinder, scimFinder, ssoFinder, supportFinder, workspacesFinder];

afterEach(() => {
  user.value = undefined;
  here.value = null;
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

test("on the page of a node, its logs and its terminal are found by those who may open them", () => {
  const found = () =>
    [nodeLogsFinder, nodeTerminalsFinder].flatMap(({ list }) => list?.() ?? []).map(({ title }) => title);
  user.value = { role: "org_owner" } as User;
  expect(found()).toEqual([]);
  here.value = { id: "n1", hostname: "web-1" } as NonNullable<typeof here.value>;
  expect(found()).toEqual(["Logs of web-1", "Terminal on web-1"]);
  user.value = { role: "org_viewer" } as User;
  expect(found()).toEqual([]);
});
