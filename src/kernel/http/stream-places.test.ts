import { expect, test } from "bun:test";
import { networksAround } from "./peer.ts";
import { createStreamPlaces, type StreamPlace } from "./stream-places.ts";
import { readBy } from "./unread-answers.ts";

const LIMITS = { each: 4, accounts: 6, strangers: 8 };

/** Places, with who comes to them. */
function open() {
  const take = createStreamPlaces(LIMITS);
  const asked = () => new Request("http://node.test/stream");
  return {
    account(id: string): StreamPlace {
      const request = asked();
      readBy(request, () => ({ isStranger: false, path: [id, ""] }));
      return take(request);
    },
    stranger(ip: string): StreamPlace {
      const request = asked();
      readBy(request, () => ({ isStranger: true, path: networksAround(ip) }));
      return take(request);
    },
  };
}
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const lostOf = (places: StreamPlace[]) => places.map(({ lost }) => lost.aborted);

test("an account has so many streams, and when all are taken whoever has most makes room", () => {
  const { account } = open();
  const ada = times(LIMITS.each, () => account("ada"));
  expect(() => account("ada")).toThrow("4 live streams are open by your account");
  const bob = times(2, () => account("bob"));
  const eve = account("eve");
  expect([lostOf(ada), lostOf(bob), eve.lost.aborted]).toEqual([[false, false, false, true], [false, false], false]);
  ada[0]?.give();
  ada[0]?.give();
  expect(account("eve").lost.aborted).toBe(false);
  // Nobody has more than she would have.
  expect(() => account("eve")).toThrow("6 live streams are open by all accounts");
});

test("strangers with any number of networks take none of what accounts have, and make room for those of other providers", () => {
  const { account, stranger } = open();
  const own = account("ada");
  const honest = stranger("198.51.100.9");
  const crowd = times(LIMITS.strangers - 1, (at) => stranger(`2001:db8:0:${at.toString(16)}::1`));
  for (let at = 100; at < 300; at += 1)
    expect(() => stranger(`2001:db8:0:${at.toString(16)}::1`)).toThrow("by people who have not signed in");
  expect(stranger("203.0.113.5").lost.aborted).toBe(false);
  expect(lostOf(crowd).filter(Boolean)).toHaveLength(1);
  expect([own.lost.aborted, honest.lost.aborted]).toEqual([false, false]);
  expect(account("bob").lost.aborted).toBe(false);
});
