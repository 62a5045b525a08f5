import { expect, test } from "bun:test";
import { readSources } from "../../../../tests/architecture/sources.ts";
import { areas, describe, detailsOf, subjectOf } from "./words.ts";

const entry = (details: Record<string, unknown>) => ({
  id: "aud_1",
  action: "user.role_changed",
  resource: "user:usr_2",
  details,
  ip_address: "127.0.0.1",
  timestamp: "2026-01-01T00:00:00.000Z",
});
const names = new Map([
  ["usr_1", "mara"],
  ["usr_2", "vera"],
]);

test("everything that is audited has words and an area to look for it", async () => {
  // As text: the browser's half is checked apart from the server's.
  const sources = await readSources("src/node/**/events.ts");
  const meanings = sources.flatMap(({ text }) => text.split(/^ {2}(?="[a-z_]+\.[a-z_]+": )/m).slice(1));
  const audited = meanings.filter((meaning) => /\baudit\b/.test(meaning));
  const actions = audited.map((meaning) => meaning.split('"')[1] ?? "");
  expect(actions.length).toBeGreaterThan(40);
  expect(actions.filter((action) => describe(action) === action)).toEqual([]);
  expect(actions.filter((action) => !areas.some(({ value }) => value !== "" && action.startsWith(value)))).toEqual([]);
});

test("the line says who did it, and to whom", () => {
  expect(detailsOf(entry({ user_id: "usr_1", method: "password" }), names)).toBe("by mara, method passphrase");
  const change = { actor_id: "usr_1", user_id: "usr_2", from: "viewer", to: "member" };
  expect(detailsOf(entry(change), names)).toBe("by mara, user vera, from viewer, to member");
  expect(detailsOf(entry({ actor_id: "usr_9", user_id: "usr_2", username: "vera" }), names)).toBe(
    "by a user who is gone, username vera",
  );
  expect(detailsOf(entry({ username: "root" }), new Map())).toBe("username root");
});

test("what it was done to is told by its name, never by an id alone", () => {
  const id = "01M8JB68GBVZVFN7YB27GY7PEX";
  const on = (resource: string, details = {}) => subjectOf({ resource, details }, names);
  expect(on("user:usr_2")).toBe("User vera");
  expect(on(`user:usr_${id}`, { username: "otto" })).toBe("User otto");
  expect(on(`user:usr_${id}`)).toBe("User");
  expect(on(`session:ses_${id}`)).toBe("Session");
  expect(on(`app:app_${id}`, { name: "blog" })).toBe("App blog");
  expect(on(`alert_rule:rul_${id}`, { name: "Disk" })).toBe("Alert rule Disk");
  expect(on("settings")).toBe("Settings");
  expect(on("image:redis:7")).toBe("Image redis:7");
});
