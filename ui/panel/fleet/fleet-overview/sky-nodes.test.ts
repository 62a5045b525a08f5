import { expect, test } from "bun:test";
import { skyOf } from "./sky-layout.ts";
import { listOf, nameDots } from "./sky-nodes.ts";

const cell = (id: string, status: "online" | "degraded" | "offline" | "pending") => ({
  id,
  host: id,
  status,
  value: null,
  tenant: null,
});

test("each dot is one node of its ring and its state, and none is two", () => {
  const tally = { total: 5, online: 2, degraded: 1, offline: 2 };
  const cells = [
    cell("a", "online"),
    cell("b", "offline"),
    cell("c", "degraded"),
    cell("d", "online"),
    cell("e", "pending"),
  ];
  const rows = [{ region: "eu", ...tally, avg: null, cells }];
  const [ring] = skyOf([{ region: "eu", ...tally }]).rings;
  if (ring === undefined) throw new Error("no ring");
  const named = nameDots(ring, rows);
  expect(named.map(({ id }) => id).toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  expect(Object.fromEntries(named.map(({ id, state }) => [id, state]))).toEqual({
    a: "ok",
    b: "crit",
    c: "warn",
    d: "ok",
    e: "crit",
  });
  expect(nameDots(ring, [])).toEqual([]);
});

test("a ring's dots lead to the nodes they stand for", () => {
  expect(listOf("eu west", "crit", true)).toBe("/fleet?region=eu+west&status=offline&status=pending");
  expect(listOf("3 more", "warn", false)).toBe("/fleet?status=degraded");
});
