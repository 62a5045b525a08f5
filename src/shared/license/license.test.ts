import { expect, test } from "bun:test";
import { createPrivateKey, sign } from "node:crypto";
import { makeNodeKey } from "../../../tests/kit/agent-client.ts";
import { createTestAuthority } from "../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { openSsl, withFiles } from "../../../tests/kit/openssl.ts";
import { days } from "../../lib/duration.ts";
import { splitCertificates } from "../../lib/pem.ts";
import { parseCsr } from "../../panel/agents/pki/index.ts";
import { LICENSE_ISSUER, signLicense, verifyLicense } from "./index.ts";

const clock = createFakeClock();
const authority = await createTestAuthority(clock);
const signer = authority.issueSigner();
const roots = authority.bundle().pem;
const now = clock.now();
const claims = {
  iss: LICENSE_ISSUER,
  sub: "ten_a",
  plan: "pro",
  iat: now / 1000,
  exp: (now + days(30)) / 1000,
  jti: "lic_1",
} as const;
const token = signLicense(claims, signer);

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const parts = () => token.split(".") as [string, string, string];
/** What anybody with a key can make of it. */
function forge(
  chain: string,
  key: Parameters<typeof signLicense>[1]["key"],
  header: object = {},
  body: object = claims,
) {
  const x5c = splitCertificates(chain).map((pem) => pem.replace(/-----[^-]+-----|\s/g, ""));
  const content = `${encode({ alg: "ES256", x5c, ...header })}.${encode(body)}`;
  return `${content}.${sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

test("a license holds for 30 days and 14 more of grace", () => {
  const license = { id: "lic_1", tenantId: "ten_a", plan: "pro", issuedAt: now, expiresAt: now + days(30) } as const;
  expect(verifyLicense(token, roots, now)).toEqual({ ...license, isInGrace: false });
  expect(verifyLicense(token, roots, now + days(30) - 1)).toEqual({ ...license, isInGrace: false });
  expect(verifyLicense(token, roots, now + days(30))).toEqual({ ...license, isInGrace: true });
  expect(verifyLicense(token, roots, now + days(44) - 1)?.isInGrace).toBe(true);
  expect(verifyLicense(token, roots, now + days(44))).toBeNull();
});

test("another authority's license is none here", async () => {
  const other = await createTestAuthority(clock);
  expect(verifyLicense(token, other.bundle().pem, now)).toBeNull();
  expect(verifyLicense(signLicense(claims, other.issueSigner()), roots, now)).toBeNull();
  expect(verifyLicense(signLicense(claims, other.issueSigner()), other.bundle().pem, now)?.plan).toBe("pro");
  expect(verifyLicense(token, "", now)).toBeNull();
});

test("what was changed on the way is refused", () => {
  const [head, body, signature] = parts();
  const richer = encode({ ...claims, plan: "enterprise" });
  expect(verifyLicense(`${head}.${richer}.${signature}`, roots, now)).toBeNull();
  expect(verifyLicense(`${head}.${body}.${signature.slice(0, -4)}AAAA`, roots, now)).toBeNull();
  expect(verifyLicense(`${head}.${body}.`, roots, now)).toBeNull();
  expect(verifyLicense(`${encode({ alg: "none", x5c: ["x"] })}.${body}.`, roots, now)).toBeNull();
  for (const broken of ["", "a.b.c", `${head}.${body}`, `${token}.x`, "x".repeat(20_000)])
    expect(verifyLicense(broken, roots, now)).toBeNull();
  expect(verifyLicense(forge(signer.chain, signer.key, { alg: "HS256" }), roots, now)).toBeNull();
  expect(verifyLicense(forge(signer.chain, signer.key, {}, { ...claims, plan: "gold" }), roots, now)).toBeNull();
  expect(verifyLicense(forge(signer.chain, signer.key, {}, { ...claims, iss: "somebody" }), roots, now)).toBeNull();
});

test("a node cannot sign its own license, nor can whoever holds the agent port's key", () => {
  const { key, csr } = makeNodeKey();
  const { publicKey } = parseCsr(csr);
  const own = authority.issueClient({ tenantId: "ten_a", nodeId: "node", publicKey });
  expect(verifyLicense(forge(own.chain, key), roots, now)).toBeNull();
  // Its key under the signer's certificate, and its certificate as an issuer of the signer's.
  expect(verifyLicense(forge(signer.chain, key), roots, now)).toBeNull();
  expect(verifyLicense(forge(own.chain + signer.chain, key), roots, now)).toBeNull();
  const server = authority.issueServer(["panel"]);
  const serverKey = createPrivateKey(server.key);
  expect(verifyLicense(forge(server.chain, serverKey), roots, now)).toBeNull();
});

test("a license outlives a change of the root for those who know the new one, and for those who do not yet", async () => {
  const turning = createFakeClock();
  const changing = await createTestAuthority(turning);
  const former = changing.bundle().pem;
  const early = signLicense(claims, changing.issueSigner());
  await changing.beginRotation("root");
  await changing.rotate({ informedShare: 1, nodesOnOther: 0 });
  const both = changing.bundle().pem;
  const late = signLicense(claims, changing.issueSigner());
  for (const bundle of [former, both])
    for (const license of [early, late]) expect(verifyLicense(license, bundle, now)?.plan).toBe("pro");
  await turning.advance(days(2));
  await changing.rotate({ informedShare: 1, nodesOnOther: 0 });
  expect(verifyLicense(late, changing.bundle().pem, now)?.plan).toBe("pro");
  expect(verifyLicense(early, changing.bundle().pem, now)).toBeNull();
});

test("openssl takes the signer's certificate for what it is", () => {
  const [leaf = "", intermediate = ""] = splitCertificates(signer.chain);
  withFiles({ "leaf.pem": leaf, "mid.pem": intermediate, "root.pem": roots }, (folder) => {
    const at = ["-attime", String(now / 1000)];
    const chain = ["-CAfile", `${folder}/root.pem`, "-untrusted", `${folder}/mid.pem`, `${folder}/leaf.pem`];
    expect(openSsl(["verify", ...at, ...chain])).toContain("OK");
    const text = openSsl(["x509", "-in", `${folder}/leaf.pem`, "-noout", "-text"]);
    expect(text).toContain("Code Signing");
    expect(text).not.toContain("TLS Web Client Authentication");
  });
});
