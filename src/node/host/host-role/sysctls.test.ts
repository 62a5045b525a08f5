import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createLog } from "../../../kernel/log.ts";
import { createIds } from "../../../lib/ids.ts";
import { createAnswerVerb } from "./answer-verb.ts";

/** A machine in a folder: what the kernel has, and the folder with what is set at boot. */
let root: string;
let record: Record<string, unknown>[];
beforeEach(() => {
  root = makeScratch("sysctls");
  record = [];
  mkdirSync(join(root, "proc/sys/vm"), { recursive: true });
  mkdirSync(join(root, "proc/sys/kernel"));
  mkdirSync(join(root, "etc/sysctl.d"), { recursive: true });
  writeFileSync(live("swappiness"), "60\n");
  writeFileSync(live("page-cluster"), "3\n");
  writeFileSync(join(root, "proc/sys/kernel/core_pattern"), "core\n");
});
afterEach(() => rmSync(root, { recursive: true }));

const live = (name: string) => join(root, "proc/sys/vm", name);
const dropIn = () => join(root, "etc/sysctl.d/90-orrery.conf");
const kept = () => readFileSync(dropIn(), "utf8");

function ask(verb: string, input: unknown) {
  const clock = createFakeClock();
  const answer = createAnswerVerb({
    audit: { append: (line) => void record.push({ ...line, kernel: readFileSync(live("swappiness"), "utf8").trim() }) },
    clock,
    docker: join(root, "docker.sock"),
    host: { isLocked: () => false },
    ids: createIds(clock.now),
    log: createLog(clock, "error", () => {}),
    root,
  });
  return answer({ verb, input, by: "op_1" }, { onLine: () => {} });
}
const set = (key: string, value: unknown) => ask("sysctl.set", { key, value });

test("a value is set now and at boot, and its line is on record before", async () => {
  expect(await ask("sysctl.state", { key: "vm.swappiness" })).toEqual({ value: 60, set: null });
  expect(record).toEqual([]);
  expect(await set("vm.swappiness", 100)).toEqual({ value: 100, set: 100 });
  expect(readFileSync(live("swappiness"), "utf8")).toBe("100\n");
  expect(kept()).toContain("# before: 60\nvm.swappiness = 100\n");
  expect(record.map(({ phase, kernel }) => [phase, kernel])).toEqual([
    ["begun", "60"],
    ["done", "100"],
  ]);
  expect(record[0]).toMatchObject({ by: "op_1", verb: "sysctl.set", input: { key: "vm.swappiness", value: 100 } });
});

test("what was there before comes back, however often and in whatever order it was set", async () => {
  await set("vm.swappiness", 100);
  await set("vm.page-cluster", 0);
  await set("vm.swappiness", 180);
  expect(await set("vm.swappiness", null)).toEqual({ value: 60, set: null });
  expect(kept()).toContain("# before: 3\nvm.page-cluster = 0\n");
  expect(kept()).not.toContain("swappiness");
  expect(await set("vm.page-cluster", null)).toEqual({ value: 3, set: null });
  // Nothing is left of us.
  expect(readdirSync(join(root, "etc/sysctl.d"))).toEqual([]);
  expect(await set("vm.page-cluster", null)).toEqual({ value: 3, set: null });
});

test("after a restart that kept what was set, what there was before still comes back", async () => {
  await set("vm.swappiness", 100);
  await set("vm.swappiness", 100);
  expect(kept()).toContain("# before: 60\n");
  await set("vm.swappiness", null);
  expect(readFileSync(live("swappiness"), "utf8").trim()).toBe("60");
});

test("what the kernel does not know or take is not kept for the next boot either", async () => {
  rmSync(live("page-cluster"));
  await expect(set("vm.page-cluster", 0)).rejects.toMatchObject({ code: "sysctl_unknown", status: 409 });
  await set("vm.swappiness", 100);
  const before = kept();
  // What is kept cannot be written any more.
  mkdirSync(join(root, "etc/sysctl.d/90-orrery.conf.new"));
  const failed = set("vm.swappiness", 120);
  await expect(failed).rejects.toMatchObject({ code: "sysctl_failed", status: 502 });
  expect([kept(), readFileSync(live("swappiness"), "utf8")]).toEqual([before, "100\n"]);
});

test("nothing but the known keys within their bounds is set, whatever the file of before says", async () => {
  for (const [key, value] of [
    ["vm.swappiness", 201],
    ["vm.swappiness", -1],
    ["vm.swappiness", 1.5],
    ["vm.swappiness", "60"],
    ["vm.page-cluster", 9],
    ["kernel.core_pattern", "|/bin/sh"],
    ["vm/../kernel/core_pattern", 1],
    ["constructor", 1],
  ])
    await expect(set(String(key), value)).rejects.toMatchObject({ code: "host_request_refused" });
  await expect(ask("sysctl.set", { key: "vm.swappiness" })).rejects.toMatchObject({ code: "host_request_refused" });
  expect([record, existsSync(dropIn())]).toEqual([[], false]);

  writeFileSync(
    dropIn(),
    "# before: 1\nkernel.core_pattern = 7\nvm.swappiness = 9000\n# before: x\nvm.page-cluster = 1\n",
  );
  expect(await set("vm.swappiness", 100)).toEqual({ value: 100, set: 100 });
  expect(kept()).not.toContain("core_pattern");
  expect(readFileSync(join(root, "proc/sys/kernel/core_pattern"), "utf8")).toBe("core\n");
});
