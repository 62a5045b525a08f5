import { expect, test } from "bun:test";
import fc from "fast-check";
import { until } from "../../../../tests/kit/until.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import { followChunks, MOVING_BYTES } from "./moving.ts";
import { findStill } from "./room-by-network.ts";

interface Held {
  networks: string;
  isMoving: boolean;
}
const from = (ip: string) => networksAround(ip).join(" ");

const anIp = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 4 }))
  .map(([a, b, c]) => `198.${a}.${b}.${c}`);
const held = fc.array(fc.record({ networks: anIp.map(from), isMoving: fc.boolean() }), { maxLength: 30 });
const isStill = ({ isMoving }: Held) => !isMoving;
const countOf = (rows: Held[], prefix: string) =>
  rows.filter(({ networks }) => `${networks} `.startsWith(`${prefix} `)).length;

test("what gives way stands still, and is of a part that holds more than the newcomer's would", () => {
  fc.assert(
    fc.property(held, anIp, (rows, ip) => {
      const found = findStill(rows, networksAround(ip), isStill);
      if (found === undefined) return;
      expect(found.isMoving).toBe(false);
      const own = networksAround(ip);
      const path = found.networks.split(" ");
      const parting = path.findIndex((name, depth) => name !== own[depth]);
      expect(parting).toBeGreaterThanOrEqual(0);
      const prefix = (names: readonly string[]) => names.slice(0, parting + 1).join(" ");
      expect(countOf(rows, prefix(path))).toBeGreaterThan(countOf(rows, prefix(own)) + 1);
    }),
  );
});

test("whoever holds all places without sending makes room for any other network, however many came before it", () => {
  fc.assert(
    fc.property(anIp, fc.array(anIp, { minLength: 1, maxLength: 40 }), (hoarder, guests) => {
      const rows: Held[] = Array.from({ length: 20 }, () => ({ networks: from(hoarder), isMoving: false }));
      const others = new Set(guests.filter((ip) => ip !== hoarder));
      for (const ip of others) {
        const weaker = findStill(rows, networksAround(ip), isStill);
        // Those who came sent something and move; the hoarder is alone with what stands still.
        const wasHeld = countOf(rows, from(hoarder));
        if (wasHeld < 2) return;
        if (weaker === undefined) {
          // Only where networks around the newcomer hold as much as those around the hoarder.
          expect(wasHeld).toBeLessThanOrEqual(others.size + 1);
          return;
        }
        expect(weaker.networks).toBe(from(hoarder));
        rows.splice(rows.indexOf(weaker), 1);
        rows.push({ networks: from(ip), isMoving: true });
      }
    }),
  );
});

test("of the network that holds most the first that stands still gives way, and who holds as much takes nothing", () => {
  const row = (ip: string, isMoving = false) => ({ networks: from(ip), isMoving });
  const most = [row("203.0.113.5", true), row("203.0.113.5"), row("203.0.113.5")];
  const rows = [row("198.51.100.1"), row("198.51.100.1"), ...most];
  expect(findStill(rows, networksAround("192.0.2.1"), isStill)).toBe(most[1]);
  expect(findStill(rows, networksAround("203.0.113.5"), isStill)).toBeUndefined();
  expect(findStill(rows.slice(0, 1), networksAround("192.0.2.1"), isStill)).toBeUndefined();
  // The many networks of one provider count together.
  const many = [1, 2, 3].map((no) => row(`2001:db8:${no}::1`));
  expect(findStill(many, networksAround("192.0.2.1"), isStill)).toBe(many[0]);
  // Nobody noted where those of the time before come from.
  expect(findStill([{ networks: null }, { networks: null }], networksAround("192.0.2.1"), () => true)).toBeUndefined();
});

test("a chunk keeps its upload while enough of it comes, and not because it was begun", async () => {
  let now = 1_000_000;
  const moving = followChunks(() => now);
  const upload = { id: "upl_1", touched_at: now };
  const piece = Promise.withResolvers<number>();
  const end = Promise.withResolvers<void>();
  async function* bytes() {
    yield new Uint8Array(1_000);
    yield new Uint8Array(await piece.promise);
    await end.promise;
  }
  const read = async (all: AsyncIterable<Uint8Array>) => {
    let size = 0;
    for await (const each of all) size += each.length;
    return size;
  };
  const sent = moving.during(upload.id, bytes(), read);
  expect([moving.isSending(upload.id), moving.isStill(upload)]).toEqual([true, false]);
  now += 60_001;
  expect(moving.isStill(upload)).toBe(true);
  piece.resolve(MOVING_BYTES);
  await until(() => !moving.isStill(upload));
  end.resolve();
  expect(await sent).toBe(MOVING_BYTES + 1_000);
  expect([moving.isSending(upload.id), moving.isStill(upload)]).toEqual([false, true]);
});
