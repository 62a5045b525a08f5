import { expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { createTestAuthority } from "../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { days } from "../../lib/duration.ts";
import { LICENSE_ISSUER, signLicense, verifyLicense } from "../license/index.ts";
import { isWordOn, signWord } from "./index.ts";

const clock = createFakeClock();
const authority = await createTestAuthority(clock);
const roots = authority.bundle().pem;
const mine = { nodeId: "node-1", serial: "AB12" };
const word = signWord(mine, "deleted", clock.now(), authority.issueSigner());

test("holds for one certificate and one reason, also when the signer's certificate has ended since", () => {
  expect(isWordOn(word, roots, mine, "deleted")).toBe(true);
  expect(isWordOn(word, roots, mine, "superseded")).toBe(false);
  expect(isWordOn(word, roots, { ...mine, nodeId: "node-2" }, "deleted")).toBe(false);
  // Registered again: a word of before is about another certificate.
  expect(isWordOn(word, roots, { ...mine, serial: "CD34" }, "deleted")).toBe(false);
  clock.jump(days(400));
  expect(isWordOn(word, roots, mine, "deleted")).toBe(true);
  clock.jump(-days(400));
});

test("is worth nothing from anybody else: another authority, a node, a license, a changed word", async () => {
  const foreign = await createTestAuthority(clock);
  expect(isWordOn(word, foreign.bundle().pem, mine, "deleted")).toBe(false);
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const { chain } = authority.issueClient({ tenantId: "ten_a", nodeId: "node-1", publicKey });
  expect(isWordOn(signWord(mine, "deleted", clock.now(), { key: privateKey, chain }), roots, mine, "deleted")).toBe(
    false,
  );
  const iat = clock.now() / 1000;
  const claims = { iss: LICENSE_ISSUER, sub: "node-1", plan: "pro", iat, exp: iat + 60, jti: "l" } as const;
  expect(isWordOn(signLicense(claims, authority.issueSigner()), roots, mine, "deleted")).toBe(false);
  expect(verifyLicense(word, roots, clock.now())).toBeNull();
  for (const [from, to] of [
    [0, 40],
    [word.length - 20, word.length - 19],
  ] as const)
    expect(isWordOn(`${word.slice(0, from)}A${word.slice(to)}`, roots, mine, "deleted")).toBe(false);
  for (const odd of ["", "..", "a.b.c", "x".repeat(20_000)]) expect(isWordOn(odd, roots, mine, "deleted")).toBe(false);
});
