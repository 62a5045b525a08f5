import { expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { makeSamlForger, SIMPLE_REQUEST } from "../../../../tests/kit/saml-forger.ts";
import { watchThreads } from "../../../../tests/kit/watch-threads.ts";
import { systemClock } from "../../../lib/clock.ts";
import type { Bringer } from "./belief.ts";
import { createJudge } from "./saml/judge.ts";

const forger = await makeSamlForger(() => Date.now());
const trust = { certificates: [forger.keys.listed.certificate], private_key: null };
const from = (ip = "192.0.2.1"): Bringer => ({
  ...{ connector_id: "one", ip, isKnown: false, left: new AbortController().signal },
});
const answerOf = (attributes: Record<string, string[]> = {}): string => {
  forger.forge = (told) => ({ ...told, assertion: { ...told.assertion, attributes } });
  return forger.signIn(SIMPLE_REQUEST, "ada@corp.example").form["SAMLResponse"] ?? "";
};
/** Signed twice over and large: it is right, and takes a good part of a second. */
const costly = (): string =>
  answerOf(Object.fromEntries(Array.from({ length: 190 }, (_, no) => [`urn:oid:${no}`, ["a", "b", "c", "d", "e"]])));

test("answers are judged elsewhere, with all that is found, while this thread goes on", async () => {
  const judge = createJudge(systemClock);
  const good = await judge.receive(from(), answerOf({ groups: ["ops"] }), trust);
  expect([good.refused, good.facts?.assertion?.attributes.get("groups")]).toEqual([null, ["ops"]]);
  const bad = await judge.receive(from(), answerOf(), { ...trust, certificates: [forger.keys.stranger.certificate] });
  expect([bad.refused?.name, bad.refused?.refusal, bad.refused?.advice]).toEqual([
    ...["ResponseRefused", "signature", expect.stringContaining("certificate")],
  ]);
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 5);
  const slow = await judge.receive(from(), costly(), trust);
  clearInterval(ticking);
  expect([slow.refused, ticks > 3]).toEqual([null, true]);
});

test("one that takes too long is refused, and a thread that died is followed by another", async () => {
  const late = await createJudge(systemClock, { patienceMs: 1 }).receive(from(), costly(), trust);
  expect([late.facts, late.refused?.message]).toEqual([null, "The provider's answer takes too long to check"]);
  const threads = watchThreads();
  const judge = createJudge(systemClock);
  const failure = judge.receive(from(), costly(), trust).then(() => "none", String);
  await setImmediate();
  await threads.kill("judge-thread");
  threads.stop();
  expect(await failure).toContain("ended");
  // From elsewhere: whoever brought it has used up a good part of what the connector has.
  expect((await judge.receive(from("198.51.100.1"), answerOf(), trust)).refused).toBeNull();
});

test("whoever comes with ever new networks of one site keeps nobody else waiting, and takes no place from them", async () => {
  const judge = createJudge(systemClock);
  const encoded = answerOf();
  const foreign = { ...trust, certificates: [forger.keys.stranger.certificate] };
  const over = new AbortController();
  const judged: string[] = [];
  const bring = (ip: string, more: Partial<Bringer> = {}): Promise<string> =>
    judge.receive({ ...from(ip), ...more }, encoded, foreign).then(
      () => {
        judged.push(ip);
        return "judged";
      },
      (error: { code?: string }) => String(error.code),
    );
  const crowd = Array.from({ length: 30 }, (_, net) =>
    Array.from({ length: 5 }, () => bring(`2001:db8:aaaa:${net}::1`, { left: over.signal })),
  ).flat();
  const others = [bring("192.0.2.1"), bring("2001:db9::1"), bring("2001:db8:aaaa:7::1", { isKnown: true })];
  expect(await Promise.all(others)).toEqual(["judged", "judged", "judged"]);
  // The one that was begun already, and one for each of the others at most.
  expect(judged.filter((ip) => ip.startsWith("2001:db8:aaaa")).length).toBeLessThanOrEqual(5);
  over.abort();
  const told = await Promise.all(crowd);
  // A hundred wait, and there is one that is judged.
  expect(told.filter((what) => what === "too_many_requests").length).toBeGreaterThanOrEqual(49);
});

test("of a stranger's network five wait, of one that is known to a connector more, and each connector has its own", async () => {
  const judge = createJudge(systemClock);
  const encoded = costly();
  const over = new AbortController();
  const first = judge.receive(from(), encoded, trust);
  await setImmediate();
  const refused: string[] = [];
  const bring = (count: number, name: string, more: Partial<Bringer>) =>
    Array.from({ length: count }, () =>
      judge.receive({ ...from(), left: over.signal, ...more }, encoded, trust).catch(() => refused.push(name)),
    );
  const all = [
    ...[...bring(7, "stranger", {}), ...bring(22, "known", { isKnown: true })],
    ...bring(20, "elsewhere", { isKnown: true, connector_id: "other" }),
  ];
  await setImmediate();
  expect(refused).toEqual(["stranger", "stranger", "known", "known"]);
  over.abort();
  await Promise.all([first, ...all]);
});
