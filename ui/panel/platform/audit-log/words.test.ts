import { expect, test } from "bun:test";
import type { AuditEntry } from "../../../../src/panel/platform/audit-log/contract.ts";
import { areas, describe, detailsText, subjectText } from "./words.ts";

const entry = (action: string, details: Record<string, unknown>, name: string | null = null): AuditEntry => ({
  id: "aud_1",
  timestamp: "2026-01-01T00:00:00.000Z",
  action,
  actor: { kind: "member", id: "mem_1", name: "Ada" },
  subject: { id: "sub_1", name },
  details,
  ip_address: "192.0.2.1",
});

test("everything that is audited has words and an area to look for it", async () => {
  // As text: the browser's half is checked apart from the server's.
  const root = `${import.meta.dir}/../../../../src/panel`;
  const actions = new Set<string>();
  for await (const path of new Bun.Glob("*/*/events.ts").scan(root)) {
    const source = await Bun.file(`${root}/${path}`).text();
    for (const [, action = ""] of source.matchAll(/^ {2}"([a-z_.]+)": \{\s*audit\b/gm)) actions.add(action);
  }
  expect(actions.size).toBeGreaterThan(28);
  expect([...actions].filter((action) => describe(action) === action)).toEqual([]);
  expect([...actions].filter((action) => !areas.some(({ value }) => value && action.startsWith(value)))).toEqual([]);
});

test("the line says what changed and from what, without ids", () => {
  const texts = [
    entry("team.role_change", { role: "org_viewer", previous_role: "org_owner" }),
    entry("workspace.mode", { mode: "msp", previous: "business" }),
    entry("fleet.node.tags", { tags: ["edge", "eu"], previous: { tags: [] } }),
    entry("fleet.node.group", { group_id: "grp_1", previous: { group_id: "grp_2" } }),
    entry("fleet.command", { command: "app.restart", params: {}, instances: 1200, instance_ids: ["a", "b"] }),
    entry("fleet.command.cancel", { command: "app.restart", command_id: "cmd_1" }),
    entry("workspace.settings", { require_2fa: true }),
    entry("agent.reregister", { hostname: "a", token_id: "t", hardware: "other_hardware", severity: "info" }),
  ].map((each) => detailsText(each, new Map([["grp_1", "Racks"]])));
  expect(texts).toEqual([
    "role viewer, was owner",
    "mode msp, was business",
    "tags edge eu, was none",
    "group Racks, was one that is gone",
    "command app.restart, instances 1,200",
    "command app.restart",
    "second factor required yes",
    "other hardware",
  ]);
});

test("what is gone is called by the name it had", () => {
  expect(subjectText(entry("fleet.node.tags", {}, "web-1"))).toBe("web-1");
  expect(subjectText(entry("fleet.group.remove", { name: "Racks" }))).toBe("Racks");
  expect(subjectText(entry("fleet.command", { instances: 1 }, "web-1"))).toBe("web-1");
  expect(subjectText(entry("fleet.command", { instances: 1200 }, "web-1"))).toBe("web-1 and 1,199 more");
  expect(subjectText(entry("fleet.instance.delete", {}))).toBe("sub_1");
  expect(subjectText(entry("workspace.mode", {}))).toBe("");
});

test("second factors are called by what people know them as", () => {
  const texts = [
    entry("account.factor_sign_in", { method: "totp" }),
    entry("account.factor_sign_in", { method: "webauthn" }),
    entry("account.factor_sign_in", { method: "recovery_code" }),
    entry("account.factor_failed", { method: "password" }),
    entry("account.factor_failed", { method: "of_tomorrow" }),
    entry("account.factor_add", { kind: "totp", factor: "Phone" }),
    entry("account.factor_remove", { kind: "key", factor: "Blue key" }),
    // Others may have details of the same name.
    entry("fleet.node.tags", { method: "totp" }),
  ].map((each) => detailsText(each, new Map()));
  expect(texts).toEqual([
    "code of an authenticator app",
    "security key",
    "recovery code",
    "password",
    "of tomorrow",
    "authenticator app, factor Phone",
    "security key, factor Blue key",
    "method totp",
  ]);
});
