import { expect, test } from "bun:test";
import { listDangers } from "./dangers.ts";
import { listNotes } from "./notes.ts";
import { readProject } from "./read-project.ts";

function targetOf(lines: string) {
  const read = readProject("shop", { file: `services: { web: { image: nginx, ${lines} } }`, env: "", files: [] });
  if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
  return { name: "shop", folder: "/data", node: "n1", digestKey: new Uint8Array(32), project: read.project };
}

test.each([
  [
    "annotations: { io.katacontainers.config.hypervisor.path: /x }",
    ["annotation:io.katacontainers.config.hypervisor.path"],
  ],
  ["annotations: [a=1, b:c=2]", ["annotation:a", "annotation:b:c"]],
  ["runtime: nvidia", ["runtime:nvidia"]],
  ["runtime: runc", []],
  ["oom_score_adj: -500", ["oom_score_adj"]],
  ["oom_score_adj: 500", []],
  ["oom_kill_disable: true", ["oom_kill_disable"]],
  ["oom_kill_disable: false", []],
])("%s is a power as far as it reaches the server", (lines, ids) => {
  const dangers = listDangers(targetOf(lines).project);
  expect(dangers.map(({ id }) => id)).toEqual(ids.map((id) => `web/${id}`));
  // In words of its own, not in those for what has none.
  for (const { text } of dangers) expect(text).not.toMatch(/^web needs /);
});

test.each([
  ["shm_size: 100g", ["web may fill 100 GiB of this server's memory at /dev/shm."]],
  ["shm_size: 100g, mem_limit: 4g", []],
  ["shm_size: 1g", []],
  ["tmpfs: ['/cache:size=16g']", ["web may fill 16 GiB of this server's memory at /cache."]],
  ["cpu_shares: 262144", ["web gets up to 256 times the time of others when the processor is busy."]],
  ["cpu_shares: 512", []],
])("%s is told where others would go short", (lines, texts) => {
  expect(listNotes(targetOf(lines)).map(({ text }) => text)).toEqual(texts);
});
