import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { placeOf } from "./areas.ts";
import { isTest, readSources } from "./sources.ts";

/** What passes events on or keeps a record of them: each event's own feature says what it means there. */
const LISTENERS = [
  "src/node/platform/audit/",
  "src/node/platform/timeline/",
  "src/node/platform/webhooks/",
  "src/node/platform/events/",
  "src/node/monitoring/alerting/",
  "src/panel/platform/audit/",
  "src/panel/platform/audit-log/",
];
const listenerOf = (path: string): string | undefined => LISTENERS.find((folder) => path.startsWith(folder));

const sources = (await readSources("src/{node,panel}/**/*.ts")).filter(({ path }) => !isTest(path));
const listeners = sources.filter(({ path }) => listenerOf(path) !== undefined);

/** Names of events with the folder that declares them: the types `…Events` of the contracts, and what is announced. */
const events = sources
  .filter(({ path }) => path.endsWith("/contract.ts") || path === "src/node/announced.ts")
  .flatMap(({ path, text }) =>
    [...text.matchAll(/^(?:export )?type \w+Events = (\{[^\n]*\};|[\s\S]*?^\};)/gm)].flatMap(([, body = ""]) =>
      [...body.matchAll(/"([a-z_]+(?:\.[a-z_]+)+)":/g)].map(([, name = ""]) => ({ name, folder: `${dirname(path)}/` })),
    ),
  );

test("the names of all events are known here", () => {
  const names = events.map(({ name }) => name);
  expect(names).toContain("session.revoked");
  expect(names).toContain("app.data_deleted");
  expect(names).toContain("system.clock_jumped");
  expect(names).toContain("backup.failed");
  expect(names).toContain("fleet.node.tags");
  expect(names).toContain("account.leave");
  expect(names.length).toBe(new Set(names).size);
  expect(names.length).toBeGreaterThan(110);
});

/** Code without comments: those may give examples. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");

test("who listens to all events names none of another feature", () => {
  const found = listeners.flatMap(({ path, text }) => {
    const quoted = new Set(
      [...withoutComments(text).matchAll(/["'`]([a-z_]+(?:\.[a-z_]+)+)["'`]/g)].map(([, name]) => name),
    );
    return events
      .filter(({ name, folder }) => !path.startsWith(folder) && quoted.has(name))
      .map(({ name }) => `${path} names ${name}`);
  });
  expect(found).toEqual([]);
});

test("who listens to all events imports no feature that emits some, types included", () => {
  const emitters = new Set(events.map(({ folder }) => folder));
  const found = listeners.flatMap(({ path, text }) => {
    const own = placeOf(path);
    return (
      [...text.matchAll(/from "(\.[^"]+)"/g)]
        .map(([, target = ""]) => join(dirname(path), target))
        .filter((target) => listenerOf(target) !== listenerOf(path))
        .filter((target) => [...emitters].some((folder) => folder !== "src/node/" && target.startsWith(folder)))
        // Alerting works with its neighbours, such as the channels.
        .filter((target) => own?.area !== "monitoring" || placeOf(target)?.area !== "monitoring")
        .map((target) => `${path} imports ${target}`)
    );
  });
  expect(found).toEqual([]);
});
