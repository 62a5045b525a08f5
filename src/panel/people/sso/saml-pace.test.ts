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
      time.count(from({ connector_id }), tookMs);
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

test("one that says more once it is written out than is read is not believed, and counts as what took time", async () => {
  const prefixes = Array.from({ length: 45 }, (_, no) => `p${no + 10}`);
  const declared = prefixes.map((prefix) => ` xmlns:${prefix}="urn:${prefix}"`).join("");
  const used = prefixes.map((prefix) => ` ${prefix}:a=""`).join("");
  const encoded = answer((told) => ({
    assertion: { ...told.assertion, name_id: `ada@corp.example<e><f${declared}${used}></f></e>` },
    after: (xml) => xml.replace(`<e><f${declared}`, `<e${declared}><f`),
  }));
  const { refused, isWrittenOut } = await receive(encoded, trust);
  expect([refused?.refusal, isWrittenOut]).toEqual(["signature", true]);
});
