import { expect, test } from "bun:test";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { createMemoryAuthorityStore, createTestAuthority, TEST_SEAL } from "../../../../tests/kit/authority.ts";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { openSsl, withFiles } from "../../../../tests/kit/openssl.ts";
import { createSeal } from "../../../kernel/seal.ts";
import { days } from "../../../lib/duration.ts";
import { createIds } from "../../../lib/ids.ts";
import { splitCertificates } from "../../../lib/pem.ts";
import { pinOf } from "../../../shared/agent-protocol/pin.ts";
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

const READY = { informedShare: 1, nodesOnOther: 0 };

test("while a new root takes over, openssl reaches either root through the served chain", async () => {
  const authority = await createTestAuthority();
  const former = authority.bundle().pem;
  const pin = authority.pin();
  expect(await authority.beginRotation("root")).toBe(true);
  expect(await authority.beginRotation("root")).toBe(false);
  expect(authority.bundle().pem.startsWith(former)).toBe(true);
  expect(await authority.rotate(READY)).toBe(true);
  const fresh = splitCertificates(authority.bundle().pem).find((root) => root !== former) ?? "";
  const [leaf = "", ...rest] = splitCertificates(authority.issueServer(["panel.example"]).chain);
  withFiles({ "leaf.pem": leaf, "rest.pem": rest.join(""), "former.pem": former, "fresh.pem": fresh }, (folder) => {
    for (const root of ["former.pem", "fresh.pem"]) {
      const anchors = ["-CAfile", `${folder}/${root}`, "-untrusted", `${folder}/rest.pem`, "-x509_strict"];
      const words = openSsl(["verify", ...anchors, "-attime", String(NOW / 1000 + 60), `${folder}/leaf.pem`]);
      expect(words).toContain("leaf.pem: OK");
    }
  });
  // Tokens printed before the change still lead here.
  expect(authority.pin()).toBe(pin);
});

test("a change is taken back at any point, and no key of a dropped slot stays behind", async () => {
  const store = createMemoryAuthorityStore();
  const authority = await createTestAuthority(createFakeClock(), store);
  const before = store.text();
  expect(await authority.rollBack()).toBe(false);
  await authority.beginRotation("root");
  expect(await authority.rollBack()).toBe(true);
  expect(store.text()).toBe(before);
  await authority.beginRotation("intermediate");
  await authority.rotate(READY);
  const { issuer } = authority.issueClient(subject);
  expect(await authority.rollBack()).toBe(true);
  expect(authority.issueClient(subject).issuer).not.toBe(issuer);
  expect(authority.rotation()).toMatchObject({ phase: "activated", other: issuer });
  expect(splitCertificates(authority.bundle().pem)).toHaveLength(1);
});

test("replicas follow each other, and only one of them makes the new slot", async () => {
  const store = createMemoryAuthorityStore();
  const clock = createFakeClock();
  const [one, two] = [await createTestAuthority(clock, store), await createTestAuthority(clock, store)];
  const begun = await Promise.all([one.beginRotation("root"), two.beginRotation("root")]);
  expect(begun.filter(Boolean)).toHaveLength(1);
  await Promise.all([one.rotate(READY), two.rotate(READY)]);
  await two.rotate({ informedShare: 0, nodesOnOther: 1 });
  expect(two.bundle()).toEqual(one.bundle());
  expect(two.rotation()).toEqual(one.rotation());
});

test("left to itself the authority changes in time and never issues past its issuer's end", async () => {
  const clock = createFakeClock();
  const authority = await createTestAuthority(clock);
  const roots = new Set<string>();
  for (let week = 0; week < 53 * 11; week++) {
    clock.jump(days(7));
    await authority.rotate({ informedShare: 1, nodesOnOther: 1 });
    const { chain, notAfter } = authority.issueClient(subject);
    expect(notAfter).toBe(clock.now() + days(90));
    const issuer = new X509Certificate(splitCertificates(chain)[1] ?? "");
    expect(issuer.validToDate.getTime()).toBeGreaterThanOrEqual(notAfter);
    for (const root of splitCertificates(authority.bundle().pem)) {
      roots.add(root);
      expect(new X509Certificate(root).validToDate.getTime()).toBeGreaterThan(clock.now());
    }
  }
  expect(roots.size).toBe(2);
});
