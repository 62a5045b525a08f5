import { expect, test } from "bun:test";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { createMemoryAuthorityStore, createTestAuthority, TEST_SEAL } from "../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { openSsl, withFiles } from "../../../tests/kit/openssl.ts";
import { createSeal } from "../../kernel/seal.ts";
import { days } from "../../lib/duration.ts";
import { createIds } from "../../lib/ids.ts";
import { splitCertificates } from "../../lib/pem.ts";
import { pinOf } from "../../shared/agent-protocol/pin.ts";
import { openAuthority } from "./authority.ts";

const NOW = Date.UTC(2026, 0, 1);
const publicKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export({ type: "spki", format: "der" });
const subject = { tenantId: "ten_1", nodeId: "node-7", publicKey };

test("a client certificate says what the contract asks for, in openssl's words", async () => {
  const authority = await createTestAuthority();
  const { chain, notAfter, serial } = authority.issueClient(subject);
  const text = withFiles({ "leaf.pem": chain }, (folder) =>
    openSsl(["x509", "-in", `${folder}/leaf.pem`, "-noout", "-text"]),
  );
  expect(text).toContain("Version: 3");
  expect(text).toMatch(/Subject: O ?= ?Orrery, CN ?= ?node-7/);
  expect(text).toContain("URI:orrery://panel/tenant/ten_1/node/node-7");
  expect(text).toMatch(/Extended Key Usage: ?\n\s+TLS Web Client Authentication\n/);
  expect(text).toMatch(/Basic Constraints: critical\n\s+CA:FALSE\n/);
  expect(text).toMatch(/Key Usage: critical\n\s+Digital Signature\n/);
  expect(text).toContain("Not Before: Dec 31 23:55:00 2025 GMT");
  expect(text).toContain("Not After : Apr  1 00:00:00 2026 GMT");
  expect(notAfter).toBe(NOW + days(90));
  expect(serial).toMatch(/^[0-9A-F]{20,32}$/);
  expect(BigInt(`0x${new X509Certificate(chain).serialNumber}`)).toBe(BigInt(`0x${serial}`));
});

test("openssl verifies client and server chains for their own purpose only", async () => {
  const authority = await createTestAuthority();
  const client = splitCertificates(authority.issueClient(subject).chain);
  const server = splitCertificates(authority.issueServer(["panel.example", "192.0.2.4", "2001:db8::5"]).chain);
  const files = {
    "root.pem": authority.bundle().pem,
    "client.pem": client[0] ?? "",
    "server.pem": server[0] ?? "",
    "middle.pem": client[1] ?? "",
  };
  withFiles(files, (folder) => {
    const verify = (leaf: string, ...more: string[]) =>
      openSsl([
        "verify",
        "-x509_strict",
        "-attime",
        String(NOW / 1000 + 60),
        ...["-CAfile", `${folder}/root.pem`, "-untrusted", `${folder}/middle.pem`],
        ...more,
        `${folder}/${leaf}`,
      ]);
    expect(verify("client.pem", "-purpose", "sslclient")).toContain("client.pem: OK");
    expect(verify("server.pem", "-purpose", "sslserver", "-verify_hostname", "panel.example")).toContain(": OK");
    expect(verify("server.pem", "-verify_ip", "192.0.2.4")).toContain(": OK");
    expect(verify("server.pem", "-verify_ip", "2001:db8::5")).toContain(": OK");
    expect(() => verify("server.pem", "-verify_hostname", "other.example")).toThrow("hostname mismatch");
    expect(() => verify("client.pem", "-purpose", "sslserver")).toThrow("purpose");
    expect(() => verify("server.pem", "-purpose", "sslclient")).toThrow("purpose");
  });
});

test("serials are 128 random bits and never repeat", async () => {
  const authority = await createTestAuthority();
  const serials = Array.from({ length: 200 }, () => authority.issueClient(subject).serial);
  expect(new Set(serials).size).toBe(200);
  expect(serials.filter((serial) => serial.length >= 31).length).toBeGreaterThan(180);
});

test("keys are sealed, the record opens again, and another key file is refused", async () => {
  const store = createMemoryAuthorityStore();
  const clock = createFakeClock();
  const first = await createTestAuthority(clock, store);
  expect(store.text()).not.toContain("PRIVATE KEY");
  const again = await createTestAuthority(clock, store);
  expect(again.pin()).toBe(first.pin());
  expect(again.pin()).toBe(pinOf(new X509Certificate(first.bundle().pem)));
  const issued = new X509Certificate(again.issueClient(subject).chain);
  const issuer = splitCertificates(first.issueClient(subject).chain)[1] ?? "";
  expect(issued.verify(new X509Certificate(issuer).publicKey)).toBe(true);
  const seal = createSeal(new Uint8Array(32).fill(8));
  await expect(openAuthority({ store, seal, clock, ids: createIds(clock.now) })).rejects.toThrow();
});

test("replicas that start together share one root", async () => {
  const store = createMemoryAuthorityStore();
  const all = await Promise.all(Array.from({ length: 8 }, () => createTestAuthority(createFakeClock(), store)));
  expect(new Set(all.map((authority) => authority.pin())).size).toBe(1);
});

test("a damaged record stops the start instead of making a new root", async () => {
  const store = createMemoryAuthorityStore();
  await store.save("{}", 0);
  const clock = createFakeClock();
  await expect(openAuthority({ store, seal: TEST_SEAL, clock, ids: createIds(clock.now) })).rejects.toThrow("damaged");
});
