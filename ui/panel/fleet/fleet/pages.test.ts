import { expect, test } from "bun:test";
import { createPages } from "./pages.ts";

interface Row {
  id: string;
  value: number;
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A list of `count` rows whose answers come when the test says so. */
function source(count: number) {
  const list = { rows: Array.from({ length: count }, (_, index): Row => ({ id: `n${index}`, value: 0 })) };
  const asked: number[] = [];
  const waiting: { number: number; signal: AbortSignal; answer: () => void; fail: () => void }[] = [];
  const pages = createPages<Row, { items: Row[]; total: number }>({
    size: 10,
    keep: 3,
    keyOf: (row) => row.id,
    load: (number, signal) => {
      asked.push(number);
      return new Promise((resolve, reject) => {
        waiting.push({
          number,
          signal,
          answer: () => resolve({ items: list.rows.slice((number - 1) * 10, number * 10), total: list.rows.length }),
          fail: () => reject(new Error("no answer")),
        });
      });
    },
  });
  const answerAll = async (): Promise<void> => {
    for (const one of waiting.splice(0)) one.answer();
    await settle();
  };
  return { list, asked, waiting, pages, answerAll };
}

test("only the pages in view are asked for, once", async () => {
  const { asked, pages, answerAll } = source(100);
  pages.want(0, 15);
  pages.want(2, 17);
  expect(asked).toEqual([1, 2]);
  expect(pages.row(0)).toBeNull();
  await answerAll();
  expect(pages.total.value).toBe(100);
  expect(pages.row(14)?.id).toBe("n14");
  pages.want(5, 20);
  expect(asked).toEqual([1, 2]);
});

test("a page that scrolled away before it came is given up", async () => {
  const { asked, waiting, pages, answerAll } = source(1000);
  pages.want(0, 10);
  await answerAll();
  pages.want(500, 510);
  pages.want(900, 910);
  expect(waiting[0]?.signal.aborted).toBe(true);
  await answerAll();
  expect(pages.row(505)).toBeNull();
  expect(pages.row(905)?.id).toBe("n905");
  expect(asked).toEqual([1, 51, 91]);
});

test("the memory is bounded: the farthest pages go", async () => {
  const { pages, answerAll } = source(1000);
  for (const first of [0, 10, 20, 30]) {
    pages.want(first, first + 10);
    await answerAll();
  }
  expect(pages.row(0)).toBeNull();
  expect(pages.row(35)?.id).toBe("n35");
});

test("a refresh keeps the old rows until all pages in view are there", async () => {
  const { list, waiting, pages, answerAll } = source(40);
  pages.want(0, 20);
  await answerAll();
  list.rows = list.rows.toReversed();
  const done = pages.refresh();
  waiting.find(({ number }) => number === 1)?.answer();
  await settle();
  expect(pages.row(0)?.id).toBe("n0");
  await answerAll();
  await done;
  expect(pages.row(0)?.id).toBe("n39");
  expect(pages.row(19)?.id).toBe("n20");
});

test("a page that was asked for before a refresh and comes after it does not take its place", async () => {
  const { list, waiting, pages, answerAll } = source(10);
  pages.want(0, 10);
  const [first] = waiting.splice(0);
  const done = pages.refresh();
  list.rows = list.rows.map((row) => ({ ...row, value: 1 }));
  await answerAll();
  await done;
  list.rows = list.rows.map((row) => ({ ...row, value: 0 }));
  first?.answer();
  await settle();
  expect(pages.row(0)?.value).toBe(1);
});

test("a page out of view is loaded again when it comes back after a refresh", async () => {
  const { asked, pages, answerAll } = source(40);
  pages.want(0, 10);
  await answerAll();
  pages.want(10, 20);
  await answerAll();
  const done = pages.refresh();
  await answerAll();
  await done;
  pages.want(0, 10);
  await answerAll();
  pages.want(0, 10);
  expect(asked).toEqual([1, 2, 2, 1]);
});

test("a patch changes values and moves nothing", async () => {
  const { pages, answerAll } = source(20);
  pages.want(0, 20);
  await answerAll();
  const before = pages.version.value;
  pages.patch([
    { id: "n3", value: 9 },
    { id: "elsewhere", value: 1 },
  ]);
  expect(pages.row(3)).toEqual({ id: "n3", value: 9 });
  expect(pages.row(4)).toEqual({ id: "n4", value: 0 });
  expect(pages.version.value).toBeGreaterThan(before);
});

test("a failed page is a problem, and is asked for again", async () => {
  const { asked, waiting, pages, answerAll } = source(20);
  pages.want(0, 10);
  waiting[0]?.fail();
  waiting.length = 0;
  await settle();
  expect(pages.problem.value?.message).toBe("no answer");
  pages.want(0, 10);
  await answerAll();
  expect(pages.problem.value).toBeNull();
  expect(asked).toEqual([1, 1]);
});
