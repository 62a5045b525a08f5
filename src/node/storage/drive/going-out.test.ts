import { expect, test } from "bun:test";
import { createGoingOut } from "./going-out.ts";

async function* pieces() {
  for (let piece = 0; piece < 3; piece += 1) yield new Uint8Array([piece]);
}

/** Begins to read as many as there is room for. */
async function fill(most: number, readerOf: (no: number) => { key: string; ip: string }) {
  const goingOut = createGoingOut();
  const open = [];
  for (let no = 0; no < most; no += 1) {
    const bytes = goingOut.count(readerOf(no), pieces());
    await bytes.next();
    open.push(bytes);
  }
  return { goingOut, open };
}

test.each([
  ["of one network", 48, (no: number) => ({ key: `link ${no}`, ip: "192.0.2.1" }), { key: "other", ip: "192.0.2.1" }],
  ["by one link", 48, (no: number) => ({ key: "link", ip: `10.${no}.0.1` }), { key: "link", ip: "198.51.100.1" }],
  ["in all", 128, (no: number) => ({ key: `link ${no}`, ip: `10.${no}.0.1` }), { key: "other", ip: "198.51.100.1" }],
] as const)(
  "what goes out %s has its limit, and whoever leaves or is through makes room",
  async (_, most, readerOf, late) => {
    const { goingOut, open } = await fill(most, readerOf);
    expect(() => goingOut.check(late)).toThrow("Too many requests");
    // Whoever came past the check in a crowd is refused when it begins, and its content is closed.
    const source = pieces();
    await expect(goingOut.count(late, source).next()).rejects.toThrow("Too many requests");
    expect((await source.next()).done).toBe(true);
    await open[0]?.return();
    goingOut.check(late);
    for await (const _ of open[1] ?? []);
    const two = [goingOut.count(late, pieces()), goingOut.count(late, pieces())];
    for (const bytes of two) await bytes.next();
    expect(() => goingOut.check(late)).toThrow("Too many requests");
  },
);

test("what is never read takes no place", () => {
  const goingOut = createGoingOut();
  const reader = { key: "link", ip: "192.0.2.1" };
  for (let no = 0; no < 200; no += 1) goingOut.count(reader, pieces());
  goingOut.check(reader);
});
