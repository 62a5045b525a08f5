import { expect, test } from "bun:test";
import { byNeed, describe, isOver, progressText, skipText, targetsText } from "./words.ts";

test("nodes are named when there is one and counted when there are more", () => {
  expect(targetsText([{ hostname: "web-1" }])).toBe("web-1");
  expect(targetsText([{ hostname: "web-1" }, { hostname: "web-2" }])).toBe("2\u00a0nodes");
});

test("every command is said in words, one of a newer panel by its name", () => {
  expect(describe({ command: "update.apply", params: { version: "1.4.2" } })).toBe("Update to 1.4.2");
  expect(describe({ command: "run_command", params: { command: "uptime" } })).toBe("Run uptime");
  expect(describe({ command: "untag", params: { tags: ["a", "b"] } })).toBe("Take away the tags a, b");
  expect(describe({ command: "disk.wipe", params: {} })).toBe("disk.wipe");
});

test("what needs a look comes first, in the sentence and in the list", () => {
  const commands = (["succeeded", "queued", "failed", "running", "refused"] as const).map((status) => ({ status }));
  expect(progressText(commands)).toBe("2 failed, 1 waiting for their nodes, 1 under way, 1 done");
  expect(byNeed(commands).map(({ status }) => status)).toEqual(["failed", "refused", "running", "queued", "succeeded"]);
  expect(commands.filter(isOver)).toHaveLength(3);
});

test("every reason for getting none is a sentence", () => {
  expect(skipText("app_not_found")).toBe("it has no app of this name");
});
