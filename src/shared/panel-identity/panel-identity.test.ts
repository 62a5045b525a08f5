import { expect, test } from "bun:test";
import { challengeOf, signAssertion, signIdentity, verifyAssertion, verifyIdentity } from "./index.ts";

const NOW = Date.UTC(2026, 0, 1);
const ADA = {
  account_id: "acc_1",
  email: "ada@example.org",
  name: "Ada",
  role: "org_admin",
  tenant_id: "ten_1",
  id: "idt_1",
};

test("an identity is read by the node it was told to, within a minute and the clocks' difference", async () => {
  const token = await signIdentity("secret", "node-1", ADA, NOW);
  expect(await verifyIdentity("secret", "node-1", token, NOW + 59_000)).toEqual(ADA);
  expect(await verifyIdentity("secret", "node-1", token, NOW - 3_000)).toEqual(ADA);
  expect(await verifyIdentity("secret", "node-1", token, NOW + 63_000)).toBeNull();
  expect(await verifyIdentity("secret", "node-2", token, NOW)).toBeNull();
  expect(await verifyIdentity("other", "node-1", token, NOW)).toBeNull();
  expect(await verifyIdentity("secret", "node-1", `${token}x`, NOW)).toBeNull();
});

test("an assertion proves the secret to one audience, at one moment, for one purpose", async () => {
  const said = { nodeId: "node-1", audience: "https://panel/api/oauth/token", now: NOW };
  const assertion = await signAssertion("secret", said);
  expect(await verifyAssertion("secret", assertion, said)).toBe(true);
  expect(await verifyAssertion("secret", assertion, { ...said, now: NOW + 121_000 })).toBe(false);
  expect(await verifyAssertion("secret", assertion, { ...said, audience: "https://other/" })).toBe(false);
  expect(await verifyAssertion("secret", assertion, { ...said, nodeId: "node-2" })).toBe(false);
  expect(await verifyAssertion("other", assertion, said)).toBe(false);
  expect(await verifyIdentity("secret", "node-1", assertion, NOW)).toBeNull();
});

test("the challenge is that of the standard's own example", () => {
  expect(challengeOf("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")).toBe(
    "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  );
});
