import { expect, test } from "bun:test";
import { listDangers } from "./dangers.ts";
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
])("%s is a power as far as it reaches the server", (lines, ids) => {
  const dangers = listDangers(targetOf(lines).project);
  expect(dangers.map(({ id }) => id)).toEqual(ids.map((id) => `web/${id}`));
  // In words of its own, not in those for what has none.
  for (const { text } of dangers) expect(text).not.toMatch(/^web needs /);
});
