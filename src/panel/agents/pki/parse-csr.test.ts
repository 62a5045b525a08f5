import { expect, test } from "bun:test";
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { fuzzRequests } from "../../../../tests/kit/csr-fuzz.ts";
import { openSsl, withFiles } from "../../../../tests/kit/openssl.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import { fromPem, toPem } from "../../../lib/pem.ts";
import { makeCsr } from "../../../shared/agent-protocol/make-csr.ts";
import { parseCsr } from "./parse-csr.ts";

const keys: Record<string, KeyObject> = {
  "P-256": generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
  "P-384": generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey,
  Ed25519: generateKeyPairSync("ed25519").privateKey,
  "RSA 2048": generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
};
const refused: Record<string, () => KeyObject> = {
  "P-521": () => generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey,
  "RSA 1024": () => generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey,
  "RSA with the exponent 3": () => generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 }).privateKey,
};

function codeOf(run: () => unknown): string {
  try {
    run();
    return "accepted";
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
}

for (const [name, key] of Object.entries(keys)) {
  test(`our own ${name} request passes us and openssl`, () => {
    const pem = makeCsr(key, "node-1");
    expect(parseCsr(pem).fingerprint).toMatch(/^[0-9a-f]{64}$/);
    const words = withFiles({ "r.csr": pem }, (folder) =>
      openSsl(["req", "-in", `${folder}/r.csr`, "-verify", "-noout", "-subject"]),
    );
    expect(words).toContain("self-signature verify OK");
    expect(words).toMatch(/CN ?= ?node-1/);
  });
}

for (const algorithm of [["EC", "ec_paramgen_curve:P-256"], ["EC", "ec_paramgen_curve:P-384"], ["ED25519"], ["RSA"]]) {
  test(`a request of openssl with ${algorithm.join(" ")} passes, whatever it asks for`, () => {
    const [name = "", option] = algorithm;
    const { pem, spki } = withFiles({}, (folder) => {
      const key = `${folder}/k`;
      openSsl(["genpkey", "-algorithm", name, ...(option ? ["-pkeyopt", option] : []), "-out", key]);
      const asked = ["-subj", "/CN=root/O=Evil", "-addext", "subjectAltName=URI:orrery://panel/tenant/x/node/y"];
      const pem = openSsl(["req", "-new", "-key", key, ...asked, "-addext", "basicConstraints=critical,CA:true"]);
      return { pem, spki: fromPem("PUBLIC KEY", openSsl(["pkey", "-in", key, "-pubout"])) };
    });
    const read = parseCsr(pem);
    expect(Buffer.from(read.publicKey).equals(spki ?? new Uint8Array())).toBe(true);
    expect(read.fingerprint).toBe(createHash("sha256").update(read.publicKey).digest("hex"));
  });
}

for (const [name, make] of Object.entries(refused)) {
  test(`${name} is refused`, () => {
    expect(codeOf(() => parseCsr(makeCsr(make(), "n")))).toBe("invalid_csr");
  });
}

test("a request with the key of somebody else is refused", () => {
  const mine = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const theirs = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" });
  const bytes = Buffer.from(fromPem("CERTIFICATE REQUEST", makeCsr(mine.privateKey, "n")) ?? new Uint8Array());
  const at = bytes.indexOf(spki(mine.publicKey));
  expect(at).toBeGreaterThan(0);
  spki(theirs.publicKey).copy(bytes, at);
  expect(codeOf(() => parseCsr(toPem("CERTIFICATE REQUEST", bytes)))).toBe("invalid_csr");
});

const good = makeCsr(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey, "n");
for (const [what, text] of [
  ["nothing", ""],
  ["two blocks", good + good],
  ["text before it", `x\n${good}`],
  ["another label", good.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE")],
  ["9 kB", good + "\n".repeat(9_000)],
  ["broken base64", good.replace(/\n(.)/, "\n*")],
  ["an empty block", "-----BEGIN CERTIFICATE REQUEST-----\n\n-----END CERTIFICATE REQUEST-----"],
] as const) {
  test(`${what} is refused`, () => expect(codeOf(() => parseCsr(text))).toBe("invalid_csr"));
}

// By hand: CSR_FUZZ=100000 bun test src/panel/agents/pki/parse-csr.test.ts
const RUNS = Number(Bun.env["CSR_FUZZ"] ?? 2_000);
test(`${RUNS} mutated requests never crash nor pass with a key that did not sign`, () => {
  const { crashes, foreign, refusals } = fuzzRequests(RUNS, 20_261_121);
  expect({ crashes, foreign }).toEqual({ crashes: [], foreign: [] });
  expect(refusals).toBeGreaterThan(RUNS / 2);
}, 600_000);
