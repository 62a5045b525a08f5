import { expect, test } from "bun:test";
import type { Backup, Schedule, Target } from "../../../../src/node/backups/backups/contract.ts";
import { judge } from "./verdict.ts";

const at = "2026-03-01T00:00:00.000Z";
const now = Date.parse(at) + 3_600_000;
const target: Target = {
  id: "t",
  type: "local",
  name: "disk",
  path: "/mnt/disk",
  created_at: at,
  max_mb_per_second: null,
  own_disk: false,
};
const on: Schedule = { plans: [], next_run_at: at };
const good: Backup = {
  id: "b",
  status: "completed",
  target: "t",
  apps: ["a"],
  half: [],
  include_config: true,
  include_objects: true,
  notes: [],
  cause: null,
  cancelled: false,
  op_id: "o",
  started_at: at,
  finished_at: at,
  size_bytes: 1,
  added_bytes: 1,
  verified_at: at,
  damage: null,
  made_by: null,
  plan: null,
};
const apps = [{ id: "a", name: "notes" }];

test("it says yes only to what is whole, recent, complete, and was read back", () => {
  const say = (backups: Backup[], schedule = on, targets = [target], later = 0) =>
    judge(targets, backups, schedule, apps, null, now + later).state;
  expect(say([good])).toBe("ok");
  expect(say([])).toBe("crit");
  expect(say([good], on, [])).toBe("crit");
  expect(say([{ ...good, status: "failed" }])).toBe("crit");
  expect(say([{ ...good, made_by: "another" }])).toBe("crit");
  expect(say([{ ...good, damage: "x" }])).toBe("crit");
  expect(say([{ ...good, verified_at: null }])).toBe("warn");
  expect(say([{ ...good, apps: [] }])).toBe("warn");
  expect(say([{ ...good, include_config: false }])).toBe("warn");
  expect(say([good], { ...on, next_run_at: null })).toBe("warn");
  expect(say([good], on, [target], 50 * 3_600_000)).toBe("warn");
});

test("backups on the disk that they copy are no yes, until one lies elsewhere", () => {
  const own = { ...target, own_disk: true };
  const say = (targets: Target[], backups: Backup[]) => judge(targets, backups, on, apps, null, now).title;
  expect(say([own], [good])).toBe("Yes, while this disk lives.");
  const elsewhere = { ...target, id: "u" };
  expect(say([own, elsewhere], [good])).toBe("Yes, while this disk lives.");
  expect(say([own, elsewhere], [good, { ...good, id: "c", target: "u" }])).toBe("Yes. Everything would come back.");
  const old = { ...good, id: "c", target: "u", finished_at: "2026-02-01T00:00:00.000Z" };
  expect(say([own, elsewhere], [good, old])).toBe("Yes, while this disk lives.");
});

test("it names an app that backups are without against their will, and what to do", () => {
  const leftOut = { apps: [{ id: "b", name: "photos" }], next_step: "Remove that file." };
  expect(judge([target], [good], on, apps, leftOut, now)).toEqual({
    state: "warn",
    title: "Not all of it.",
    why: "Backups are without photos. Remove that file.",
  });
});

test("it names an app that was half when it was backed up, and whether an older backup has all of it", () => {
  const half = { ...good, id: "h", half: ["a"] };
  const why = (backups: Backup[]) => judge([target], backups, on, apps, null, now).why;
  const said = "Not all of notes was there for the newest backup.";
  expect(why([half, good])).toBe(`${said} An older one has it all.`);
  expect(why([half, { ...good, damage: "x" }])).toBe(`${said} No other has all of notes either.`);
  // What was read back while an app was half proves nothing.
  expect(judge([target], [{ ...good, verified_at: null }, half], on, apps, null, now).title).toBe("Probably.");
});
