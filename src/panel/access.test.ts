import { expect, test } from "bun:test";
import { holds } from "./access.ts";

const ROLES = ["org_owner", "org_admin", "org_manager", "org_viewer", "org_teacher"] as const;

test.each([
  ["fleet:read", "yyyyn"],
  ["fleet:write", "yyynn"],
  ["fleet:shell", "yynnn"],
  ["settings:read", "yyyyn"],
  ["settings:write", "yynnn"],
  ["users:manage", "yynnn"],
  ["tickets:read", "yyyyy"],
  ["tickets:write", "yyynn"],
  ["anything:else", "nnnnn"],
])("%s is held as the table says", (permission, table) => {
  expect(ROLES.map((role) => (holds(role, permission) ? "y" : "n")).join("")).toBe(table);
});
