import { expect, test } from "bun:test";
import type { GateValue } from "../../../../src/panel/changes/rollouts/contract.ts";
import { decisionOf, dialOf, gatesVerdict, gateText, readStages } from "./words.ts";

const gate = (more: Partial<GateValue> = {}): GateValue => ({
  ...{ gate: "cpu_p95", value: 68.123, limit: 80, verdict: "ok", nodes: 3, samples: 12, evidence: [] },
  ...more,
});

test("a gate says its value, its limit and what it was read from", () => {
  expect(gateText(gate())).toEqual({
    name: "Processor, p95",
    value: "68.12%",
    limit: "80%",
    from: "12\u00a0samples of 3\u00a0nodes",
  });
  const breach = gate({
    gate: "failed_boots",
    verdict: "breach",
    value: 1,
    limit: 0,
    samples: 0,
    evidence: [{ instance_id: "n", hostname: "web-1" }],
  });
  expect(gateText(breach)).toMatchObject({ value: "1", limit: "0", from: "web-1" });
  expect(gateText(gate({ verdict: "not_applicable", value: null })).value).toBe("not measured");
});

test("the dial has its limit in sight, also when that is none", () => {
  expect(dialOf({ value: 40, limit: 80 })).toEqual({ value: 40, limit: 80 });
  expect(dialOf({ value: 2, limit: 0 })).toEqual({ value: 100, limit: 0 });
  expect(dialOf({ value: null, limit: 0 })).toEqual({ value: 0, limit: 0 });
});

test("what is not measured does not make gates good", () => {
  expect(gatesVerdict([gate(), gate({ verdict: "no_data" })]).word).toBe("Too few figures yet");
  expect(gatesVerdict([gate({ verdict: "not_applicable" })]).word).toBe("Not read yet");
  expect(gatesVerdict([gate(), gate({ verdict: "breach" })]).state).toBe("crit");
});

test("there is one thing to decide, or none", () => {
  const base = { reason: null, stage_views: [], current_stage: 1 };
  expect(decisionOf({ ...base, state: "running" })).toBeNull();
  expect(decisionOf({ ...base, state: "awaiting_promotion" })?.title).toBe("Stage 1 has passed");
  const reason = {
    cause: "gate" as const,
    gate: "failed_boots",
    value: 1,
    threshold: 0,
    text: "Failed boots 1, limit 0",
  };
  expect(decisionOf({ ...base, state: "paused", reason })?.title).toBe("Failed boots 1, limit 0");
});

test("stages rise to 100", () => {
  expect(readStages("1, 10 50;100")).toEqual([1, 10, 50, 100]);
  for (const text of ["", "10", "10, 5, 100", "x, 100", "0, 100", "1.5, 100"]) expect(readStages(text)).toBeNull();
});
