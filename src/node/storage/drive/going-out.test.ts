import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { ARCHIVES, CONTENTS, createGoingOut, type Reader } from "./going-out.ts";

async function* pieces() {
  for (let piece = 0; piece < 3; piece += 1) yield new Uint8Array([piece]);
}
const opened = async () => pieces();

/** As many answers as there is room for, none of them read yet. */
async function fill(most: number, readerOf: (no: number) => Reader, limits = CONTENTS) {
  const clock = createFakeClock();
  const goingOut = createGoingOut(clock, limits);
  const begin = (reader: Reader, open = opened) => goingOut.open(reader, open);
  const open = await Promise.all(Array.from({ length: most }, (_, no) => begin(readerOf(no))));
  return { clock, begin, open };
}
const ONE: Reader = { key: "link", ip: "192.0.2.1" };

test.each([
  [
    "of one network",
    48,
    (no: number) => ({ key: `link ${no}`, ip: "192.0.2.1" }),
    { key: "other", ip: "192.0.2.1" },
    3,
  ],
  ["by one link", 48, (no: number) => ({ key: "link", ip: `10.${no}.0.1` }), { key: "link", ip: "198.51.100.1" }, 3],
  // Of the last places nobody gets more than they leave.
  ["in all", 128, (no: number) => ({ key: `link ${no}`, ip: `10.${no}.0.1` }), { key: "other", ip: "198.51.100.1" }, 2],
] as const)(
  "what goes out %s has its limit before the first byte, and whoever leaves or is through makes room",
  async (_, most, readerOf, late, again) => {
    const { begin, open } = await fill(most, readerOf);
    let isOpened = false;
    const opening = async () => {
      isOpened = true;
      return pieces();
    };
    await expect(begin(late, opening)).rejects.toThrow("Too many requests");
    expect(isOpened).toBe(false);
    // One leaves before the first byte, one after it, and one is through.
    await open[0]?.return();
    await open[1]?.next();
    await open[1]?.return();
    for await (const _ of open[2] ?? []);
    for (let no = 0; no < again; no += 1) await begin(late);
    await expect(begin(late)).rejects.toThrow("Too many requests");
  },
);

test("what could not be opened takes no place", async () => {
  const { begin } = await fill(47, () => ONE);
  const broken = async () => {
    throw new Error("gone");
  };
  for (let no = 0; no < 3; no += 1) await expect(begin(ONE, broken)).rejects.toThrow("gone");
  await begin(ONE);
});

test("what nobody begins to read gives its place back after half a minute, and needs one anew", async () => {
  const { clock, begin, open } = await fill(48, () => ONE);
  await open[0]?.next();
  await clock.advance(29_000);
  await expect(begin(ONE)).rejects.toThrow("Too many requests");
  await clock.advance(1_000);
  for (let no = 0; no < 46; no += 1) await begin(ONE);
  expect((await open[1]?.next())?.done).toBe(false);
  await expect(open[2]?.next()).rejects.toThrow("Too many requests");
  // What is read keeps its place for as long as it takes.
  expect((await open[0]?.next())?.done).toBe(false);
});

const byLinkOf = (maker: string, no: number): Reader => ({ key: maker, ip: `10.${no}.0.1`, byLink: true });

test("archives by links leave a part of the places to accounts too", async () => {
  const { begin } = await fill(5, (no) => byLinkOf(`usr_${no}`, no), ARCHIVES);
  await expect(begin(byLinkOf("usr_9", 9))).rejects.toThrow("Too many requests");
  for (let no = 0; no < 2; no += 1) await begin({ key: "usr_0", ip: "10.201.0.1" });
  await expect(begin({ key: "usr_0", ip: "10.201.0.1" })).rejects.toThrow("Too many requests");
});

test("links leave a part of the places to accounts, and those of one maker no more than are free of the rest", async () => {
  const { begin } = await fill(48, (no) => byLinkOf("usr_1", no));
  const takeAll = async (readerOf: (no: number) => Reader): Promise<number> => {
    let no = 0;
    while (await begin(readerOf(no)).then(Boolean, () => false)) no += 1;
    return no;
  };
  expect(await takeAll((no) => byLinkOf("usr_1", 100 + no))).toBe(0);
  expect(await takeAll((no) => byLinkOf("usr_2", 100 + no))).toBe(24);
  expect(await takeAll((no) => byLinkOf("usr_3", 200 + no))).toBe(12);
  // The visitors of one network leave as much as they have to those of others.
  expect(await takeAll(() => byLinkOf("usr_4", 201))).toBe(6);
  expect(await takeAll((no) => ({ key: "usr_1", ip: `10.${no}.0.1` }))).toBe(19);
  expect(await takeAll((no) => ({ key: "usr_5", ip: `10.${no}.0.1` }))).toBe(10);
});
