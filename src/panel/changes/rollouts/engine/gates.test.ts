import { describe, expect, test } from "bun:test";
import { newNodes, newRollout } from "../../../../../tests/kit/rollout-simulator.ts";
import { describeBreach, readGates } from "./gates.ts";
import type { Facts, NodeFact, Rollout } from "./model.ts";

const NOW = 10_000_000;
const fact = (more: Partial<NodeFact> = {}): NodeFact => ({
  is_online: true,
  last_seen: NOW - 1_000,
  version: "2.0.0",
  forward: "succeeded",
  forward_error: null,
  revert: "none",
  revert_error: null,
  cpu: [1, 2, 3].map((minute) => ({ t: NOW - minute * 60_000, value: 40 })),
  error_rate: [],
  ...more,
});
const facts = (node: (id: string) => NodeFact | null): Facts => ({
  now: NOW,
  listened_ms: 600_000,
  is_included: true,
  is_suspended: false,
  node,
});

/** Ten nodes with the change, watched for long enough. */
const rollout = (more: Partial<Rollout> = {}): Rollout =>
  newRollout({
    watched_ms: 600_000,
    looked_at: NOW,
    window_at: NOW - 600_000,
    nodes: newNodes(
      Array.from({ length: 10 }, (_, no) => `n${no}`),
      [100],
    ).map((node) => ({ ...node, state: "done", done_at: NOW - 600_000 })),
    ...more,
  });
const read = (given: Rollout, node: (id: string) => NodeFact | null = () => fact()) =>
  Object.fromEntries(readGates(given, facts(node)).map(({ gate, value, verdict }) => [gate, [value, verdict]]));

describe("gates", () => {
  test("hold below shares and up to counts", () => {
    const cpu = (value: number) => () => fact({ cpu: fact().cpu.map(({ t }) => ({ t, value })) });
    expect(read(rollout(), cpu(79.9))).toMatchObject({ cpu_p95: [79.9, "ok"], failed_boots: [0, "ok"] });
    expect(read(rollout(), cpu(80))).toMatchObject({ cpu_p95: [80, "breach"] });
    const failed = rollout({
      nodes: rollout().nodes.map((node) => (node.rank < 2 ? { ...node, state: "failed" } : node)),
    });
    expect(read(failed)).toMatchObject({ failed_boots: [2, "breach"] });
    const two = { ...failed.gates, max_failed_boots: 2 };
    expect(read({ ...failed, gates: two })).toMatchObject({ failed_boots: [2, "ok"] });
  });

  test("silence is loss from two minutes on, when somebody listened", () => {
    const silent = (ms: number) => (id: string) => fact(id === "n1" ? { last_seen: NOW - ms } : {});
    expect(read(rollout(), silent(119_999))).toMatchObject({ heartbeat_loss: [0, "ok"] });
    expect(read(rollout(), silent(120_000))).toMatchObject({ heartbeat_loss: [1, "breach"] });
    expect(read(rollout({ watch_since_ms: 480_001 }), silent(120_000))).toMatchObject({ heartbeat_loss: [0, "ok"] });
    const fresh = { ...facts(silent(120_000)), listened_ms: 119_999 };
    expect(readGates(rollout(), fresh).find(({ gate }) => gate === "heartbeat_loss")?.value).toBe(0);
    // Heard before the clock was set back, and not since.
    expect(read(rollout(), silent(-3_600_000))).toMatchObject({ heartbeat_loss: [1, "breach"] });
  });

  test("figures that fail to come are neither good nor bad", () => {
    const blind = (many: number) => (id: string) => fact(Number(id.slice(1)) < many ? { cpu: [] } : {});
    expect(read(rollout(), blind(2))).toMatchObject({ cpu_p95: [40, "ok"] });
    expect(read(rollout(), blind(3))).toMatchObject({ cpu_p95: [40, "no_data"] });
    expect(read(rollout(), blind(10))).toMatchObject({ cpu_p95: [null, "no_data"] });
    const never = rollout({ nodes: rollout().nodes.map((node) => ({ ...node, has_cpu: false })) });
    expect(read(never, blind(10))).toMatchObject({ cpu_p95: [null, "not_applicable"] });
  });

  test("errors are weighed by requests where they are known", () => {
    const rates = (id: string) =>
      fact({ error_rate: [{ t: NOW - 1_000, value: id === "n0" ? 10 : 0, requests: id === "n0" ? 1 : 111 }] });
    const told = rollout({ nodes: rollout().nodes.map((node) => ({ ...node, has_error_rate: true })) });
    expect(read(told, rates)["error_rate"]?.[0]).toBe(0.01);
    const plain = (id: string) => fact({ error_rate: [{ t: NOW - 1_000, value: id === "n0" ? 10 : 0, requests: 0 }] });
    expect(read(told, plain)["error_rate"]?.[0]).toBe(1);
    expect(read(rollout())["error_rate"]).toEqual([null, "not_applicable"]);
  });

  test("a breach is said with its value and its limit", () => {
    const of = { verdict: "breach", nodes: 1, samples: 3, evidence: [] } as const;
    expect(describeBreach({ ...of, gate: "cpu_p95", value: 81.234, limit: 80 })).toBe(
      "Processor p95 81.23%, limit 80%",
    );
    expect(describeBreach({ ...of, gate: "failed_boots", value: 2, limit: 0 })).toBe("Failed boots 2, limit 0");
  });
});
