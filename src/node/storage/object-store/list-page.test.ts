import { expect, test } from "bun:test";
import { type ListQuery, listPage, type ReadRows } from "./list-page.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Folders `0000/` and on with so many objects in each, and what a look at them costs. */
function bucketOf(folders: number, inEach: number) {
  const rows = Array.from({ length: folders * inEach }, (_, at) => ({
    key: encode(`${String(Math.floor(at / inEach)).padStart(4, "0")}/${String(at % inEach).padStart(4, "0")}`),
    ...{ size: 1, etag: "x", modified_at: 0 },
  }));
  const cost = { questions: 0, rows: 0, ways: 0 };
  const readRows: ReadRows = ({ from, isAfter, limit }) => {
    const first = rows.findIndex(({ key }) => Buffer.compare(key, from) >= (isAfter ? 1 : 0));
    const read = first === -1 ? [] : rows.slice(first, first + limit);
    cost.questions += 1;
    cost.rows += read.length;
    return read;
  };
  const giveWay = async (): Promise<void> => {
    cost.ways += 1;
  };
  return { readRows, cost, giveWay };
}

const query: ListQuery = { prefix: encode(""), delimiter: encode("/"), after: encode(""), limit: 1_000 };

test("a folder of many objects costs a look at few of them, and others may come between", async () => {
  const { readRows, cost, giveWay } = bucketOf(300, 70);
  const { prefixes, next } = await listPage(readRows, query, giveWay);
  expect([prefixes.length, prefixes.map(decode).at(-1), next]).toEqual([300, "0299/", null]);
  expect(cost.rows).toBeLessThan(4 * 300);
  expect(cost.ways).toBeGreaterThanOrEqual(Math.floor(cost.questions / 16));
  expect(cost.ways).toBeGreaterThan(10);
});

test("folders of one object are asked for many at a time", async () => {
  const { readRows, cost, giveWay } = bucketOf(1_000, 1);
  expect((await listPage(readRows, query, giveWay)).prefixes.length).toBe(1_000);
  expect(cost.questions).toBeLessThan(30);
});
