import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeSamlForger, type SamlForgery, SIMPLE_REQUEST } from "../../../../tests/kit/saml-forger.ts";
import { minutes, seconds } from "../../../lib/duration.ts";
import type { Bringer } from "./belief.ts";
import { createJudge } from "./saml/judge.ts";
import { createJudgedTime } from "./saml/judged-time.ts";
import { receive } from "./saml/receive.ts";

const forger = await makeSamlForger(() => Date.now());
const trust = { certificates: [forger.keys.listed.certificate], private_key: null };
const from = (more: Partial<Bringer> = {}): Bringer => ({
  ...{ connector_id: "one", ip: "192.0.2.1", isKnown: true, left: new AbortController().signal, ...more },
});
function answer(change: (told: SamlForgery) => Partial<SamlForgery> = () => ({})): string {
  forger.forge = (told) => ({ ...told, ...change(told) });
  return forger.signIn(SIMPLE_REQUEST, "ada@corp.example").form["SAMLResponse"] ?? "";
}
const inGroups = (groups: string[], signed: SamlForgery["signed"] = ["assertion", "response"]): string =>
  answer((told) => ({ signed, assertion: { ...told.assertion, attributes: { groups } } }));
const names = (count: number): string[] =>
  Array.from({ length: count }, (_, no) => `CN=Group ${no},OU=Groups,OU=Europe,DC=corp,DC=example`);

test("an office of hundreds comes in at once, and dear answers soon wait, for as long as it says", async () => {
  const clock = createFakeClock();
  const time = createJudgedTime(clock);
  const judged = (tookMs: number, connector_id: string): number => {
    for (let no = 0; no < 5_000; no++) {
      if (time.wait(from({ connector_id })) > 0) return no;
      time.count(from({ connector_id }), { ms: tookMs, isBelieved: true });
    }
    return 5_000;
  };
  expect([judged(20, "office"), judged(100, "dear"), judged(400, "dearest")]).toEqual([750, 75, 5]);
  // Nobody else pays for it, and a connector's known networks and strangers do not for each other.
  expect([
    time.wait(from({ connector_id: "other" })),
    time.wait(from({ connector_id: "dear", isKnown: false })),
  ]).toEqual([0, 0]);
  const wait = time.wait(from({ connector_id: "dear" }));
  expect(wait).toBeGreaterThan(0);
  await clock.advance(seconds(wait));
  expect([judged(100, "dear"), time.wait(from({ connector_id: "office" }))]).toEqual([1, 0]);
  await clock.advance(minutes(10));
  expect([judged(20, "dearest"), judged(20, "dear")]).toEqual([750, 750]);
});

test("what is believed spends its connector's time, and neither that of others nor what strangers send who have no key", async () => {
  const clock = createFakeClock();
  const judge = createJudge(clock, { time: createJudgedTime(clock, { atOnceMs: 1, inMinuteMs: 600 }) });
  const right = inGroups(["ops"]);
  const foreign = answer(() => ({ by: "stranger" }));
  const bring = (encoded: string, more: Partial<Bringer> = {}): Promise<string> =>
    judge.receive(from(more), encoded, trust).then(
      ({ refused }) => refused?.refusal ?? "believed",
      (error: { code?: string }) => error.code ?? "none",
    );
  for (const _ of [1, 2]) expect(await bring(foreign)).toBe("signature");
  expect([await bring(right), await bring(right), await bring(foreign)]).toEqual([
    ...["believed", "too_many_requests", "too_many_requests"],
  ]);
  expect([await bring(right, { connector_id: "two" }), await bring(right, { isKnown: false })]).toEqual([
    "believed",
    "believed",
  ]);
  await clock.advance(minutes(10));
  expect(await bring(right)).toBe("believed");
});

test("who brings what was changed after it was signed spends their own network's time, and a colleague comes in", async () => {
  const judge = createJudge(createFakeClock(), {
    time: createJudgedTime(createFakeClock(), { atOnceMs: 5, inMinuteMs: 0.001 }),
  });
  const changed = answer(() => ({ after: (xml) => xml.replace("<saml:AttributeStatement>", "$&<a/>") }));
  const right = inGroups(["ops"]);
  const bring = (encoded: string, ip: string): Promise<string> =>
    judge.receive(from({ ip }), encoded, trust).then(
      ({ refused }) => refused?.refusal ?? "believed",
      (error: { code?: string }) => error.code ?? "none",
    );
  expect([
    await bring(changed, "192.0.2.1"),
    await bring(right, "192.0.2.1"),
    await bring(right, "198.51.100.1"),
    await bring(right, "203.0.113.1"),
  ]).toEqual(["signature", "too_many_requests", "believed", "believed"]);
});

test("answers of a thousand groups are taken, and none with more elements or more of them than that", async () => {
  for (const signed of [["assertion"], ["response"], ["assertion", "response"]] as const) {
    const { facts, refused } = await receive(inGroups(names(1_000), signed), trust);
    expect([refused, facts?.assertion?.attributes.get("groups")?.length]).toEqual([null, 1_000]);
  }
  for (const [groups, words] of [
    [Array.from({ length: 1_500 }, String), "more than 1500 elements"],
    [["a".repeat(130 * 1024)], "larger than 128 KiB"],
  ] as const) {
    const { refused } = await receive(inGroups([...groups]), trust);
    expect([refused?.message, refused?.advice]).toEqual([
      expect.stringContaining(words),
      expect.stringContaining("only the groups"),
    ]);
  }
});

test("one that would say more once it is written out than is read, or take longer than a thousand groups, is refused before", async () => {
  const filled = (fill: string): string =>
    answer((told) => ({
      assertion: { ...told.assertion, attributes: { groups: ["ops"] } },
      after: (xml) => xml.replace("<saml:AttributeStatement>", `<saml:AttributeStatement><e>${fill}</e>`),
    }));
  const many = (count: number): string => Array.from({ length: count }, (_, no) => ` a${no}=""`).join("");
  for (const [fill, words] of [
    [`<f${many(25)}/>`, "more than 24 attributes"],
    [`<f${many(12)}/>`.repeat(450), "more than 5000 attributes"],
    [`<f xmlns:p="${"u".repeat(201)}"/>`, "namespace of more than 200 letters"],
  ] as const) {
    const { refused, isWrittenOut } = await receive(filled(fill), trust);
    expect([refused?.message, isWrittenOut]).toEqual([expect.stringContaining(words), false]);
  }
});
