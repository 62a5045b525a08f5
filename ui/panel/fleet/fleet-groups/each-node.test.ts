import { expect, test } from "bun:test";
import { Problem } from "../../../client/problem.ts";
import { changeAll, eachNode, nodesText } from "./each-node.ts";

const nodes = Array.from({ length: 20 }, (_, index) => ({ id: `n${index}`, hostname: `host-${index}` }));

test("every node is done once, a few at a time", async () => {
  const seen: string[] = [];
  let [running, most] = [0, 0];
  const result = await eachNode(nodes, async ({ id }) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    seen.push(id);
    running -= 1;
  });
  expect(result).toEqual({ done: 20, failed: [] });
  expect(new Set(seen).size).toBe(20);
  expect(most).toBeLessThanOrEqual(6);
  expect(most).toBeGreaterThan(1);
});

test("one that fails does not stop the others, and is named", async () => {
  let done = 0;
  const work = async ({ id }: { id: string }): Promise<void> => {
    if (id === "n3" || id === "n7") throw new Error("no such group");
    done += 1;
  };
  const error = await changeAll(nodes, work).catch((problem: unknown) => problem);
  expect(done).toBe(18);
  expect(String(error)).toContain("host-3 and 1 more of 20 could not be changed: no such group");
});

test("titles name one node and count several", () => {
  expect(nodesText(nodes.slice(0, 1))).toBe("host-0");
  expect(nodesText(nodes.slice(0, 2))).toBe("2 nodes");
});

test("a server that is asked too often is waited for, and how far it is is told", async () => {
  const busy = new Set(["n2", "n9"]);
  const heard: number[] = [];
  const work = async ({ id }: { id: string }): Promise<void> => {
    if (busy.delete(id)) throw new Problem(429, "too_many_requests", "Wait.", {}, 0);
  };
  expect(await eachNode(nodes, work, (done) => heard.push(done))).toEqual({ done: 20, failed: [] });
  expect(busy.size).toBe(0);
  expect(heard).toEqual(nodes.map((_, index) => index + 1));
});
