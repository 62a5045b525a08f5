import { expect, test } from "bun:test";
import { simulate } from "../../../../../tests/kit/rollout-simulator.ts";
import { step } from "./step.ts";

/** More by hand: `ROLLOUT_SEEDS=20000`. */
const SEEDS = Number(process.env["ROLLOUT_SEEDS"] ?? 60);

test(`${SEEDS} fleets with every fault: no invariant is broken`, () => {
  const wrong: string[] = [];
  const ends: Record<string, number> = {};
  for (let seed = 1; seed <= SEEDS && wrong.length < 10; seed++) {
    // One in a hundred is a large fleet.
    const size = seed % 100 === 50 ? 400 : seed % 1_000 === 999 ? 2_000 : undefined;
    const { rollout, violations } = simulate({ seed, step, ...(size === undefined ? {} : { size }) });
    ends[rollout.state] = (ends[rollout.state] ?? 0) + 1;
    if (violations.length > 0) wrong.push(`seed ${seed}: ${violations.slice(0, 3).join("; ")}`);
  }
  expect(wrong).toEqual([]);
  expect(Object.keys(ends).sort()).toEqual(["completed", "rolled_back"]);
}, 900_000);
