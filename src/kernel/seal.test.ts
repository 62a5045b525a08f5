import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../tests/kit/scratch.ts";
import { createSeal, loadSealKey, sealRows } from "./seal.ts";

const KEY = new Uint8Array(32).fill(1);

test("what was sealed opens for its purpose only", () => {
  const seal = createSeal(KEY);
  const sealed = seal.seal("setting:smtp", "päss wörd");
  expect(sealed).toStartWith("v1.");
  expect(sealed).not.toContain("wörd");
  expect(seal.open("setting:smtp", sealed)).toBe("päss wörd");
  expect(() => seal.open("setting:other", sealed)).toThrow();
  expect(() => createSeal(new Uint8Array(32).fill(2)).open("setting:smtp", sealed)).toThrow("sealed under another key");
});

test("the same text never seals to the same bytes, and the empty text works", () => {
  const seal = createSeal(KEY);
  expect(seal.seal("p", "same")).not.toBe(seal.seal("p", "same"));
  expect(seal.open("p", seal.seal("p", ""))).toBe("");
});

test("a changed bit anywhere is noticed", () => {
  const seal = createSeal(KEY);
  const raw = Buffer.from(seal.seal("p", "attack at dawn").slice(3), "base64url");
  for (let index = 0; index < raw.length; index++) {
    const changed = Buffer.from(raw);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    expect(() => seal.open("p", `v1.${changed.toString("base64url")}`)).toThrow();
  }
});

test("a sealed text that is cut short or of another version is refused", () => {
  const seal = createSeal(KEY);
  const sealed = seal.seal("p", "x");
  const raw = Buffer.from(sealed.slice(3), "base64url");
  // A four-byte tag is valid GCM, and guessable.
  for (const length of [0, 5, 12, 16, 24, 27]) {
    expect(() => seal.open("p", `v1.${raw.subarray(0, length).toString("base64url")}`)).toThrow();
  }
  expect(() => seal.open("p", sealed.replace("v1", "v2"))).toThrow("unknown seal version");
  expect(() => seal.open("p", "plain")).toThrow("unknown seal version");
});

test("a sealed text opens as it was given out, and with nothing put to it or written otherwise", () => {
  const seal = createSeal(KEY);
  const sealed = seal.seal("p", "x");
  for (const more of ["\0", " ", "\n", "=", "==", "!", ".x", "\u00e9", "A"]) {
    expect(() => seal.open("p", sealed + more)).toThrow();
    expect(() => seal.open("p", `v1.${more}${sealed.slice(3)}`)).toThrow();
  }
  // 29 bytes end in a character of which two bits count; the next one would decode to the same bytes.
  const last = sealed.charCodeAt(sealed.length - 1);
  const other = String.fromCharCode(last === 0x39 ? last - 1 : last + 1);
  expect(() => seal.open("p", sealed.slice(0, -1) + other)).toThrow();
  expect(seal.open("p", sealed)).toBe("x");
});

test("derived keys are stable, 32 bytes, and different for every purpose", () => {
  const seal = createSeal(KEY);
  expect(seal.deriveKey("a")).toHaveLength(32);
  expect(seal.deriveKey("a")).toEqual(createSeal(KEY).deriveKey("a"));
  expect(seal.deriveKey("a")).not.toEqual(seal.deriveKey("b"));
});

let folder: string;
beforeEach(() => {
  folder = makeScratch("seal");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a key file is made once, readable by its owner only, and read again", () => {
  const path = join(folder, "node.key");
  const key = loadSealKey(path, true);
  expect(key).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(`${path}.new`)).toBe(false);
  expect(Buffer.from(loadSealKey(path, true))).toEqual(Buffer.from(key));
});

test("a key file that others can read is closed again", () => {
  const path = join(folder, "node.key");
  loadSealKey(path, true);
  chmodSync(path, 0o644);
  loadSealKey(path, true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("half a key file of a crash is written anew", () => {
  const path = join(folder, "node.key");
  writeFileSync(`${path}.new`, "hal");
  expect(loadSealKey(path, true)).toHaveLength(32);
});

test.each([
  ["empty", () => ""],
  ["cut", (good: string) => good.slice(0, 20)],
  ["a character lost to an editor", (good: string) => `${good.slice(0, 10)}!${good.slice(11)}`],
  ["something appended", (good: string) => `${good.trim()}AAAA\n`],
])("a damaged key file (%s) is refused and left as it is", (_name, damage) => {
  const path = join(folder, "node.key");
  loadSealKey(path, true);
  const damaged = damage(readFileSync(path, "utf8"));
  writeFileSync(path, damaged);
  expect(() => loadSealKey(path, true)).toThrow("restore it from the recovery kit");
  expect(readFileSync(path, "utf8")).toBe(damaged);
});

test("a key that is missing beside sealed data is not replaced", () => {
  const path = join(folder, "node.key");
  expect(() => loadSealKey(path, false)).toThrow("restore it from the recovery kit");
  expect(existsSync(path)).toBe(false);
  const key = loadSealKey(path, true);
  expect(Buffer.from(loadSealKey(path, false))).toEqual(Buffer.from(key));
});

test("a row of a kind opens what was sealed for itself alone, and what was sealed before rows were told apart", () => {
  const seal = createSeal(KEY);
  const rows = sealRows(seal, "totp");
  const sealed = rows.seal("ada", "secret");
  expect(rows.open("ada", sealed)).toBe("secret");
  expect(() => rows.open("eve", sealed)).toThrow("sealed under another key");
  expect(() => seal.open("totp", sealed)).toThrow();
  expect(() => sealRows(seal, "backup kit").open("ada", sealed)).toThrow();
  expect(rows.open("eve", seal.seal("totp", "of before"))).toBe("of before");
});
