import { expect, test } from "bun:test";
import fc from "fast-check";
import { days, hours } from "../../../lib/duration.ts";
import { INTERMEDIATE_LIFETIME_MS, LEAF_LIFETIME_MS, ROOT_LIFETIME_MS } from "./lifetimes.ts";
import {
  applyRotation,
  decideRotation,
  type Rotation,
  requestRotation,
  rollBackRotation,
  type SlotTimes,
  trustedSlots,
} from "./rotation.ts";

const LIFE: SlotTimes = { notBefore: 0, notAfter: INTERMEDIATE_LIFETIME_MS, rootNotAfter: ROOT_LIFETIME_MS };
const LAST_FULL = INTERMEDIATE_LIFETIME_MS - LEAF_LIFETIME_MS;
const steady: Rotation = { phase: "steady", signing: "a" };
const quiet = { informedShare: 0, nodesOnOther: 5 };

test("a new slot is prepared 30 days before the last certificate of full life, and not earlier", () => {
  expect(decideRotation(steady, LIFE, quiet, LAST_FULL - days(30) - 1)).toBeNull();
  const action = decideRotation(steady, LIFE, quiet, LAST_FULL - days(30));
  expect(action).toEqual({
    kind: "prepare",
    what: "intermediate",
    activateAt: LAST_FULL - days(7),
    forceAt: LAST_FULL,
  });
});

test("a root that ends before a full intermediate does is changed along", () => {
  const now = LAST_FULL - days(30);
  const what = (rootNotAfter: number) => {
    const action = decideRotation(steady, { ...LIFE, rootNotAfter }, quiet, now);
    return action?.kind === "prepare" ? action.what : null;
  };
  expect(what(now + INTERMEDIATE_LIFETIME_MS)).toBe("intermediate");
  expect(what(now + INTERMEDIATE_LIFETIME_MS - 1)).toBe("root");
});

const prepared: Rotation = { phase: "prepared", signing: "a", other: "b", activateAt: 100, forceAt: 200 };

test("the new slot signs when 99 % of the nodes trust it, at the latest at its deadline", () => {
  const at = (now: number, informedShare: number) =>
    decideRotation(prepared, LIFE, { informedShare, nodesOnOther: 0 }, now)?.kind ?? null;
  expect(at(99, 1)).toBeNull();
  expect(at(100, 0.989)).toBeNull();
  expect(at(100, 0.99)).toBe("activate");
  expect(at(199, 0)).toBeNull();
  expect(at(200, 0)).toBe("activate");
});

test("the former slot goes when no node needs it, at the latest when its last certificate ended", () => {
  const activated = applyRotation(prepared, { kind: "activate" }, "", 1_000);
  expect(activated).toMatchObject({ phase: "activated", signing: "b", other: "a", otherUntil: 1_000 + days(90) });
  const at = (now: number, nodesOnOther: number) =>
    decideRotation(activated, LIFE, { informedShare: 1, nodesOnOther }, now)?.kind ?? null;
  expect(at(1_000 + days(1) - 1, 0)).toBeNull();
  expect(at(1_000 + days(1), 0)).toBe("retire");
  expect(at(1_000 + days(90) - 1, 1)).toBeNull();
  expect(at(1_000 + days(90), 1)).toBe("retire");
  expect(applyRotation(activated, { kind: "retire" }, "", 0)).toEqual({ phase: "steady", signing: "b" });
});

test("a change by hand waits for the nodes only, and there is one at a time", () => {
  expect(requestRotation(steady, "root", 50)).toEqual({
    kind: "prepare",
    what: "root",
    activateAt: 50,
    forceAt: 50 + days(7),
  });
  expect(requestRotation(prepared, "root", 50)).toBeNull();
});

test("taking back drops a slot that never signed and keeps one that did", () => {
  expect(rollBackRotation(steady, 5)).toEqual(steady);
  expect(rollBackRotation(prepared, 5)).toEqual({ phase: "steady", signing: "a" });
  const back = rollBackRotation(applyRotation(prepared, { kind: "activate" }, "", 5), 9);
  expect(back).toMatchObject({ phase: "activated", signing: "a", other: "b", since: 9, otherUntil: 9 + days(90) });
});

test("whatever happens, a slot is trusted for as long as a certificate that it signed lives", () => {
  const step = fc.record({
    wait: fc.integer({ min: 1, max: 40 * 24 }),
    informedShare: fc.constantFrom(0, 0.5, 0.99, 1),
    hand: fc.constantFrom("none", "none", "none", "begin", "back"),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const born = new Map<string, number>([["s0", 0]]);
      const lastSigned = new Map<string, number>();
      let rotation: Rotation = { phase: "steady", signing: "s0" };
      let now = 0;
      for (const { wait, informedShare, hand } of steps) {
        now += hours(wait);
        lastSigned.set(rotation.signing, now);
        const notBefore = born.get(rotation.signing) ?? 0;
        const times = { notBefore, notAfter: notBefore + INTERMEDIATE_LIFETIME_MS, rootNotAfter: Number.MAX_VALUE };
        const live = (id: string) => now < (lastSigned.get(id) ?? Number.NEGATIVE_INFINITY) + LEAF_LIFETIME_MS;
        const other = rotation.phase === "steady" ? null : rotation.other;
        const facts = { informedShare, nodesOnOther: other && live(other) ? 1 : 0 };
        const action =
          hand === "begin"
            ? requestRotation(rotation, "intermediate", now)
            : decideRotation(rotation, times, facts, now);
        const fresh = `s${born.size}`;
        if (action?.kind === "prepare") born.set(fresh, now);
        if (hand === "back") rotation = rollBackRotation(rotation, now);
        else if (action) rotation = applyRotation(rotation, action, fresh, now);
        const trusted = trustedSlots(rotation);
        for (const id of lastSigned.keys()) if (live(id)) expect(trusted).toContain(id);
        expect(trusted.length).toBeLessThanOrEqual(2);
      }
    }),
    { numRuns: 300 },
  );
});
