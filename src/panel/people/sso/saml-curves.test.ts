import { beforeAll, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSsl, withFiles } from "../../../../tests/kit/openssl.ts";
import { createTestPanel, type TestPanel } from "../../../../tests/kit/panel-app.ts";
import { makeSamlForger, type SamlForger, type SamlForgery } from "../../../../tests/kit/saml-forger.ts";
import { makeSamlWorld, type SamlWorld } from "../../../../tests/kit/saml-world.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { SSO_SETTINGS } from "../../../../tests/kit/sso-world.ts";
import { minutes } from "../../../lib/duration.ts";

/** A provider that signs with keys of elliptic curves. */
const databases = panelDatabases("sqlite");
const texts = new Map<string, string[]>();
let panel: TestPanel;
let forger: SamlForger;
let world: SamlWorld;

beforeAll(async () => {
  panel = await createTestPanel(await databases.open(), SSO_SETTINGS, async (name) => texts.get(name) ?? []);
  forger = await makeSamlForger(panel.clock.now);
  const metadata = () => forger.metadata(["listed", "p256", "p384", "p521"]);
  world = await makeSamlWorld(panel, { ...forger, metadata, signIn: forger.signIn }, texts, "curved");
  forger.people.set("cleo", { name_id: "cleo@curved.example", attributes: { groups: ["ops"] } });
});

type Told = Partial<Pick<SamlForgery, "by" | "hash" | "way" | "value" | "signed" | "after" | "encrypted">>;

async function enter(told: Told): Promise<URLSearchParams> {
  forger.forge = (right) => ({ ...right, ...told });
  const browser = world.openBrowser();
  const landed = await browser.land(await browser.toProvider("cleo"));
  await panel.clock.advance(minutes(1));
  return landed;
}

test("keys of other curves and kinds are refused where they are set, with what to do", async () => {
  const make = (...algorithm: string[]) =>
    withFiles({}, (folder) => {
      const out = [...["-keyout", join(folder, "key"), "-out", join(folder, "certificate")], ...["-subj", "/CN=idp"]];
      openSsl(["req", "-x509", "-nodes", "-newkey", ...algorithm, ...out]);
      return readFileSync(join(folder, "certificate"), "utf8");
    });
  const cases: [string, RegExp][] = [
    [make("ec", "-pkeyopt", "ec_paramgen_curve:secp256k1"), /curve|kind/],
    [make("ec", "-pkeyopt", "ec_paramgen_curve:brainpoolP256r1"), /curve|kind/],
    [make("ed25519"), /kind ed25519/],
    [make("rsa:1024"), /less than 2048 bits/],
  ];
  for (const [pem, words] of cases) {
    const saml = { ...world.connector.saml, certificates: [pem] };
    const told = (await world.call(`PUT /api/sso/connectors/${world.id}`, { ...world.connector, saml })).body;
    expect([told.code, told.message]).toEqual(["certificate_unusable", expect.stringMatching(words)]);
    expect(told.message).toContain("Let the provider sign with a key of RSA");
  }
});

test("a test says which way was used", async () => {
  forger.forge = (right) => ({ ...right, by: "p384", hash: "sha384" });
  const browser = world.openBrowser();
  const asked = await world.call(`POST /api/sso/connectors/${world.id}/test`);
  const begun = await browser.get(asked.body.url);

  const posted = await browser.post(forger.signIn(begun.headers.get("location") ?? "", "cleo"));
  await browser.get(posted.headers.get("location") ?? "");
  const { last_test } = (await world.call("GET /api/sso/connectors")).body.items[0];
  const row = last_test.rows.find(({ what }: { what: string }) => what === "signature");
  expect([last_test.ok, row.sent]).toEqual([
    true,
    expect.stringMatching(/^ECDSA-SHA384 of the assertion, certificate /),
  ]);
});

for (const by of ["p256", "p384", "p521"] as const)
  for (const hash of ["sha256", "sha384", "sha512"] as const)
    test(`a signature by ${by} with ${hash} is believed, of the assertion, the response and both`, async () => {
      for (const signed of [["assertion"], ["response"], ["response", "assertion"]] as const)
        expect([signed, (await enter({ by, hash, signed })).has("code")]).toEqual([signed, true]);
    });

test("RSA with SHA-384 is believed too", async () => {
  expect((await enter({ hash: "sha384" })).has("code")).toBe(true);
});

const size = (right: Buffer): number => right.length / 2;
/** The order of P-256, which the second number may be turned round at. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Values of signatures that were not made by the key, or not written as the standard writes them. */
const FORGED: [string, Told][] = [
  ["nothing but zeros", { value: (right) => Buffer.alloc(right.length) }],
  [
    "zero and one",
    { value: (right) => Buffer.concat([Buffer.alloc(size(right)), Buffer.alloc(size(right) - 1), Buffer.of(1)]) },
  ],
  [
    "the order of the curve twice",
    { value: () => Buffer.concat([Buffer.from(ORDER.toString(16), "hex"), Buffer.from(ORDER.toString(16), "hex")]) },
  ],
  ["all ones", { value: (right) => Buffer.alloc(right.length, 0xff) }],
  ["a number short", { value: (right) => right.subarray(0, size(right)) }],
  ["a byte short", { value: (right) => right.subarray(1) }],
  ["a byte more", { value: (right) => Buffer.concat([Buffer.of(0), right]) }],
  ["empty", { value: () => Buffer.alloc(0) }],
  [
    "the two numbers in each other's place",
    { value: (right) => Buffer.concat([right.subarray(size(right)), right.subarray(0, size(right))]) },
  ],
  ["written as DER", { value: (_, text, key) => sign("sha256", Buffer.from(text), key.private_key) }],
  [
    "by another key of the same curve",
    {
      value: (_, text) => {
        const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
        return sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" });
      },
    },
  ],
  ["of another hash than it says", { way: "ecdsa-sha512" }],
  ["of a curve, called RSA", { way: "rsa-sha256" }],
  [
    "of a curve, called RSA and written as RSA's verifier would take it",
    { way: "rsa-sha256", value: (_, text, key) => sign("sha256", Buffer.from(text), key.private_key) },
  ],
  ["of RSA, called a curve's", { by: "listed", way: "ecdsa-sha256" }],
  ["with SHA-1", { way: "ecdsa-sha1" }],
  ["with SHA-224", { way: "ecdsa-sha224" }],
  ["by the curve's next one", { value: (right) => Buffer.concat([right, right]) }],
  ["of a text that was changed", { after: (xml) => xml.replaceAll("cleo@", "admin@") }],
  ["by a key that is not listed", { by: "stranger" }],
];

for (const [name, told] of FORGED)
  test(`a forged value is refused: ${name}`, async () => {
    const landed = await enter({ by: "p256", ...told });
    expect([landed.get("error"), landed.has("code")]).toEqual(["signature", false]);
  });

test("a response that holds does not answer for an assertion in it that does not", async () => {
  let inner = "";
  const keep: SamlForgery["after"] = (xml, parts) => {
    inner = parts.assertion;
    return xml;
  };
  await enter({ by: "stranger", after: keep });
  const put: SamlForgery["after"] = (xml, parts) => xml.replace(parts.bare, inner);
  expect((await enter({ by: "p256", signed: ["response"], after: put })).get("error")).toBe("signature");
});
