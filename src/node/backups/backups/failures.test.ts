import { expect, test } from "bun:test";
import { type EngineCode, EngineFailure } from "../engine/failure.ts";
import { explain, GoesOn, isPassing } from "./failures.ts";

/** What can be wrong with a place or with what lies there, and the code that it has for people. */
const BAD: readonly (readonly [EngineCode, string])[] = [
  ["key_wrong", "backup_key_wrong"],
  ["target_foreign", "backup_target_foreign"],
  ["repository_newer", "backup_target_newer"],
  ["target_full", "backup_target_full"],
  ["target_away", "backup_target_away"],
  ["target_refused", "backup_target_refused"],
  ["target_missing", "backup_target_empty"],
  ["host_unknown", "backup_target_host_key"],
  ["damaged", "backup_damaged"],
  ["snapshot_missing", "backup_missing"],
  ["no_room", "backup_no_room"],
  ["busy", "backup_target_busy"],
  ["tree_hollow", "backup_hollow"],
  ["fenced", "backup_target_taken_over"],
];

test("each thing that is wrong has a code of its own, the sentence of the engine, and a next step", () => {
  const told = BAD.map(([code]) => explain(new EngineFailure(code, `It is ${code}.`)));
  expect(told.map(({ code }) => code)).toEqual(BAD.map(([, code]) => code));
  for (const [at, { message, next_step }] of told.entries()) {
    expect(message).toBe(`It is ${BAD[at]?.[0]}.`);
    expect(next_step).toMatch(/^[A-Z].{15,}\.$/);
  }
  // The words are for that thing alone, but for a backup that is damaged or missing.
  expect(new Set(told.map(({ next_step }) => next_step)).size).toBe(BAD.length - 1);
});

test("what goes on by itself says so, and keeps the code of what is in its way", () => {
  const away = new GoesOn(new EngineFailure("target_away", "It does not answer."), "Photos stays stopped.");
  expect(explain(away)).toEqual({
    code: "backup_target_away",
    message: "It does not answer. Photos stays stopped.",
    next_step: expect.stringContaining("goes on by itself"),
  });
  expect([isPassing(away), isPassing(new EngineFailure("damaged", "x")), isPassing(new Error("x"))]).toEqual([
    true,
    false,
    false,
  ]);
});
