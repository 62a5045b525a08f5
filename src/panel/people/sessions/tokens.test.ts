import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { days, minutes } from "../../../lib/duration.ts";
import { createTokens } from "./tokens.ts";

const claims = { uid: "mem_1", tid: "ten_1", aid: "acc_1", role: "org_viewer", sid: "ses_1" };

async function make() {
  const clock = createFakeClock();
  const tokens = createTokens({ seal: createSeal(new Uint8Array(32).fill(1)), clock });
  return { clock, tokens, token: await tokens.sign(claims, false) };
}

test("a token that was good before runs out all the same", async () => {
  const { clock, tokens, token } = await make();
  expect(await tokens.verify(token, false, clock.now())).toEqual(claims);
  await clock.advance(minutes(14));
  expect(await tokens.verify(token, false, clock.now())).toEqual(claims);
  await clock.advance(minutes(1));
  expect(await tokens.verify(token, false, clock.now())).toBeNull();
  expect(await tokens.verify(token, true, clock.now())).toEqual(claims);
  expect(await tokens.verify(token, false, clock.now() - 1)).toEqual(claims);
  await clock.advance(days(14));
  expect(await tokens.verify(token, true, clock.now())).toBeNull();
});

test("a good one opens nothing to others that look like it", async () => {
  const { clock, tokens, token } = await make();
  await tokens.verify(token, false, clock.now());
  const [head = "", payload = "", signature = ""] = token.split(".");
  const other = Buffer.from(JSON.stringify({ ...claims, role: "org_owner", exp: 9_999_999_999 })).toString("base64url");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  const flipped = `${signature[0] === "A" ? "B" : "A"}${signature.slice(1)}`;
  for (const forged of [
    `${head}.${other}.${signature}`,
    `${head}.${payload}.${flipped}`,
    `${none}.${payload}.${signature}`,
    `${none}.${payload}.`,
    `${head}.${payload}.`,
    "",
  ])
    for (const whileExpired of [false, true]) expect(await tokens.verify(forged, whileExpired, clock.now())).toBeNull();
});

test("another panel's tokens are not ours", async () => {
  const { clock, tokens } = await make();
  const theirs = createTokens({ seal: createSeal(new Uint8Array(32).fill(2)), clock });
  expect(await tokens.verify(await theirs.sign(claims, false), false, clock.now())).toBeNull();
});
