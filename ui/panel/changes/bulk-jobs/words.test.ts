import { expect, test } from "bun:test";
import type { BulkItem } from "../../../../src/panel/changes/bulk-jobs/contract.ts";
import { failuresOf, jobTitle, tally } from "./words.ts";

const item = (instance_id: string, more: Partial<BulkItem>): BulkItem => ({
  ...{ instance_id, hostname: instance_id, status: "succeeded", online: true, command_id: null },
  ...{ output: null, output_truncated: false, error: null, started_at: null, finished_at: null },
  ...more,
});

test("a job is called by what it does and on how many", () => {
  expect(jobTitle({ kind: "restart", params: { app: "wiki" }, total: 12 })).toBe("Restart wiki on 12\u00a0nodes");
  expect(jobTitle({ kind: "update", params: {}, total: 1 })).toBe("Update Orrery on 1\u00a0node");
  const run = (type: string, payload: object) => jobTitle({ kind: "run_command", params: { type, payload }, total: 2 });
  expect(run("run_command", { command: "uptime" })).toBe("Run uptime on 2\u00a0nodes");
  expect(run("app.update", { app: "wiki", version: "2.0" })).toBe("Update wiki on 2\u00a0nodes");
  expect(run("inventory.refresh", {})).toBe("Ask for news on 2\u00a0nodes");
});

test("failures stand by their reason, the most common first", () => {
  const items = [
    item("a", { status: "failed", error: "full" }),
    item("b", { status: "failed", error: "gone" }),
    item("c", { status: "failed", error: "gone" }),
    item("d", {}),
  ];
  expect(failuresOf(items).map(({ error, items }) => [error, items.length])).toEqual([
    ["gone", 2],
    ["full", 1],
  ]);
});

test("who waits for the way back is told from who waits for its turn", () => {
  const items = [item("a", { status: "queued", online: false }), item("b", { status: "queued" }), item("c", {})];
  expect(tally(items).map(({ word, number }) => [word, number])).toEqual([
    ["offline, waiting", 1],
    ["waiting", 1],
    ["done", 1],
  ]);
});
