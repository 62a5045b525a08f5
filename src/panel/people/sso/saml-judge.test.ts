import { expect, test } from "bun:test";
import { makeSamlForger } from "../../../../tests/kit/saml-forger.ts";
import { watchThreads } from "../../../../tests/kit/watch-threads.ts";
import { createJudge } from "./saml/judge.ts";

const forger = await makeSamlForger(() => Date.now());
const request =
  "https://idp.example/sso?SAMLRequest=" +
  encodeURIComponent(
    Buffer.from(
      Bun.deflateSync(
        Buffer.from(
          '<samlp:AuthnRequest ID="_q" AssertionConsumerServiceURL="https://panel.example/acs"><saml:Issuer>https://panel.example</saml:Issuer></samlp:AuthnRequest>',
        ),
      ),
    ).toString("base64"),
  );
const trust = { certificates: [forger.keys.listed.certificate], private_key: null };
const answerOf = (attributes: Record<string, string[]> = {}): string => {
  forger.forge = (told) => ({ ...told, assertion: { ...told.assertion, attributes } });
  return forger.signIn(request, "ada@corp.example").form["SAMLResponse"] ?? "";
};
/** Signed twice over and large: it is right, and takes a good part of a second. */
const costly = (): string =>
  answerOf(Object.fromEntries(Array.from({ length: 190 }, (_, no) => [`urn:oid:${no}`, ["a", "b", "c", "d", "e"]])));

test("answers are judged elsewhere, with all that is found, while this thread goes on", async () => {
  const judge = createJudge();
  const good = await judge.receive(answerOf({ groups: ["ops"] }), trust);
  expect([good.refused, good.facts?.assertion?.attributes.get("groups")]).toEqual([null, ["ops"]]);
  const bad = await judge.receive(answerOf(), { ...trust, certificates: [forger.keys.stranger.certificate] });
  expect([bad.refused?.name, bad.refused?.refusal, bad.refused?.advice]).toEqual([
    ...["ResponseRefused", "signature", expect.stringContaining("certificate")],
  ]);
  let ticks = 0;
  const ticking = setInterval(() => (ticks += 1), 5);
  const slow = await judge.receive(costly(), trust);
  clearInterval(ticking);
  expect([slow.refused, ticks > 3]).toEqual([null, true]);
});

test("one that takes too long is refused, and a thread that died is followed by another", async () => {
  const late = await createJudge(1).receive(costly(), trust);
  expect([late.facts, late.refused?.message]).toEqual([null, "The provider's answer takes too long to check"]);
  const threads = watchThreads();
  const judge = createJudge();
  const failure = judge.receive(costly(), trust).then(() => "none", String);
  await threads.kill("judge-thread");
  threads.stop();
  expect(await failure).toContain("ended");
  expect((await judge.receive(answerOf(), trust)).refused).toBeNull();
});

test("a network has few that wait, and all together have more", async () => {
  const judge = createJudge();
  const ends: (() => void)[] = [];
  const wait = (network: string) => judge.inTurn(network, () => new Promise<void>((resolve) => ends.push(resolve)));
  const waiting = Array.from({ length: 5 }, () => wait("one"));
  await expect(wait("one")).rejects.toMatchObject({ code: "too_many_requests" });
  for (let no = 0; no < 25; no++) waiting.push(wait(`other ${no % 10}`));
  await expect(wait("last")).rejects.toMatchObject({ code: "too_many_requests" });
  for (const end of ends) end();
  await Promise.all(waiting);
  const again = wait("one");
  ends.at(-1)?.();
  await again;
});
