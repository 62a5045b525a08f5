import { expect, test } from "bun:test";
import { SignJWT } from "jose";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { createAccessTokens } from "./tokens.ts";

function createTestTokens(keyByte = 1) {
  const clock = createFakeClock();
  const seal = createSeal(new Uint8Array(32).fill(keyByte));
  return { clock, seal, tokens: createAccessTokens({ seal, clock }) };
}

test("a token lives fifteen minutes, to the second, remembered or not", async () => {
  const { clock, tokens } = createTestTokens();
  const token = tokens.sign("usr_1", "ses_1");
  const expected = { user_id: "usr_1", session_id: "ses_1", expires_at: clock.now() + 900_000 };
  expect(await tokens.verify(token)).toEqual(expected);
  await clock.advance(899_999);
  expect(await tokens.verify(token)).toEqual(expected);
  await clock.advance(1);
  expect(await tokens.verify(token)).toBeNull();
  clock.jump(-1);
  expect(await tokens.verify(token)).toEqual(expected);
});

test("only what was checked is recalled, and only while it lives", async () => {
  const { clock, tokens } = createTestTokens();
  const token = tokens.sign("usr_1", "ses_1");
  expect(tokens.recall(token)).toBeNull();
  const claims = await tokens.verify(token);
  expect(tokens.recall(token)).toEqual(claims);
  expect(tokens.recall(`${token}x`)).toBeNull();
  await tokens.verify("forged");
  expect(tokens.recall("forged")).toBeNull();
  await clock.advance(900_000);
  expect(tokens.recall(token)).toBeNull();
});

test("a token of another node, purpose or algorithm is nothing", async () => {
  const { clock, seal, tokens } = createTestTokens();
  const sign = (alg: string, key: Uint8Array) =>
    new SignJWT({ sid: "ses_1" })
      .setProtectedHeader({ alg })
      .setSubject("usr_1")
      .setExpirationTime(Math.floor(clock.now() / 1_000) + 60)
      .sign(key);
  const key = seal.deriveKey("access-token");
  expect(await tokens.verify(await sign("HS256", key))).not.toBeNull();
  expect(await tokens.verify(await sign("HS512", Buffer.concat([key, key])))).toBeNull();
  expect(await tokens.verify(await sign("HS256", seal.deriveKey("other")))).toBeNull();
  expect(await tokens.verify(createTestTokens(2).tokens.sign("usr_1", "ses_1"))).toBeNull();
});

test("a token without subject or expiry is nothing, one without a session is fine", async () => {
  const { clock, seal, tokens } = createTestTokens();
  const key = seal.deriveKey("access-token");
  const soon = Math.floor(clock.now() / 1_000) + 60;
  const base = () => new SignJWT({}).setProtectedHeader({ alg: "HS256" });
  expect(await tokens.verify(await base().setExpirationTime(soon).sign(key))).toBeNull();
  expect(await tokens.verify(await base().setSubject("usr_1").sign(key))).toBeNull();
  expect(await tokens.verify(await base().setSubject("usr_1").setExpirationTime(soon).sign(key))).toMatchObject({
    user_id: "usr_1",
    session_id: null,
  });
});

test("every changed character breaks a token", async () => {
  const { tokens } = createTestTokens();
  const token = tokens.sign("usr_1", "ses_1");
  await tokens.verify(token);
  for (let index = 0; index < token.length - 1; index += 7) {
    const changed = token.charAt(index) === "A" ? "B" : "A";
    expect(await tokens.verify(token.slice(0, index) + changed + token.slice(index + 1))).toBeNull();
  }
});

test.each(["", ".", "..", "a.b.c", "x".repeat(100_000), "null", "💥.💥.💥"])("garbage %# is nothing", async (token) => {
  expect(await createTestTokens().tokens.verify(token)).toBeNull();
});

test("remembering tokens is bounded and does not mix them up", async () => {
  const { tokens } = createTestTokens();
  const made = await Promise.all(Array.from({ length: 2_100 }, (_, index) => tokens.sign(`usr_${index}`, "ses_1")));
  for (const [index, token] of made.entries()) expect((await tokens.verify(token))?.user_id).toBe(`usr_${index}`);
  expect((await tokens.verify(made[0] ?? ""))?.user_id).toBe("usr_0");
});

test("a token of a clock that was ahead does not outlive its fifteen minutes", async () => {
  const { clock, tokens } = createTestTokens();
  const token = tokens.sign("usr_1", "ses_1");
  await tokens.verify(token);
  clock.jump(-59_000);
  expect(tokens.recall(token)).not.toBeNull();
  clock.jump(-365 * 86_400_000);
  expect(tokens.recall(token)).toBeNull();
  expect(await tokens.verify(token)).toBeNull();
});
