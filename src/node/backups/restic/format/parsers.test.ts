import { expect, test } from "bun:test";
import { createCipheriv, randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { poly1305 } from "@noble/ciphers/_poly1305.js";
import fc from "fast-check";
import { runs } from "../../../../../tests/kit/runs.ts";
import { MOST_NODES, parseConfig, parseIndex, parseSnapshot, parseTree } from "./documents.ts";
import { ResticFailure } from "./failure.ts";
import { parseKeyFile, workOf } from "./key-file.ts";
import { assertPlain, shownName, unquoteName } from "./names.ts";
import { openFile, openSealed, type ResticKey, sha256 } from "./seal.ts";

const ID = "ab".repeat(32);
const INDEX = {
  supersedes: [ID],
  packs: [
    {
      id: ID,
      blobs: [
        { id: ID, type: "data", offset: 0, length: 100, uncompressed_length: 300 },
        { id: ID, type: "tree", offset: 100, length: 50 },
      ],
    },
  ],
};
const TREE = {
  nodes: [
    {
      name: "a",
      type: "file",
      mode: 420,
      mtime: "2022-11-26T22:10:02.123456789+01:00",
      uid: 1,
      gid: 2,
      size: 3,
      links: 2,
      inode: 7,
      device_id: 1,
      content: [ID],
    },
    { name: "b", type: "dir", mode: 2147484141, subtree: ID },
    { name: "c\\xff", type: "symlink", linktarget: "/etc" },
    { name: "d", type: "fifo" },
  ],
};
const SNAPSHOT = {
  time: "2022-11-26T22:10:02.5Z",
  tree: ID,
  paths: ["/a"],
  hostname: "h",
  username: "u",
  tags: null,
  summary: { total_bytes_processed: 5 },
};
const KEY = { kdf: "scrypt", N: 32768, r: 8, p: 1, salt: "AAAA", data: "AAAA" };
const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const PARSERS: Record<string, { parse: (bytes: Uint8Array) => unknown; good: unknown }> = {
  config: { parse: parseConfig, good: { version: 2, id: ID, chunker_polynomial: "25b468838dcb75" } },
  index: { parse: (bytes) => [...parseIndex(bytes, "index/x")], good: INDEX },
  tree: { parse: parseTree, good: TREE },
  snapshot: { parse: (bytes) => parseSnapshot(bytes, ID), good: SNAPSHOT },
  key: { parse: parseKeyFile, good: KEY },
};

test.each(Object.entries(PARSERS))("what is damaged or made up is read or refused: %s", (_name, { parse, good }) => {
  expect(parse(text(good))).not.toBeNull();
  const whole = text(good);
  const holds = (bytes: Uint8Array): boolean => {
    try {
      parse(bytes);
      return true;
    } catch (error) {
      return error instanceof ResticFailure;
    }
  };
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.nat(whole.length), (at, byte, end) => {
      const bent = Buffer.from(whole);
      bent[at] = byte;
      return holds(bent) && holds(bent.subarray(0, end));
    }),
    { numRuns: runs(1000) },
  );
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (json) => holds(Buffer.from(json))),
    { numRuns: runs(300) },
  );
  expect(holds(Buffer.from("[".repeat(200_000)))).toBe(true);
  expect(holds(Buffer.from(`{"nodes":${"[".repeat(100_000)}${"]".repeat(100_000)}}`))).toBe(true);
});

test("a folder says what is in it, and nothing that leads out of it", () => {
  const [file, folder, link, other] = parseTree(text(TREE));
  expect(file).toMatchObject({ kind: "file", mode: 0o644, mtime: 1_669_497_002, fraction: "123456789", twin: "1 7" });
  expect(folder).toMatchObject({ kind: "folder", mode: 0o755, subtree: ID });
  expect([link?.raw, link?.name, link?.link?.toString()]).toEqual([Buffer.from("c\xff", "latin1"), "c\\xff", "/etc"]);
  expect(other?.kind).toBe("other");
  for (const name of [
    "",
    ".",
    "..",
    "../x",
    "/etc/passwd",
    "a/b",
    "\\x2e\\x2e",
    "a\\x2fb",
    "a\\x00",
    "a\u0000b",
    "a".repeat(5000),
  ])
    expect(() => parseTree(text({ nodes: [{ name, type: "file", content: [] }] }))).toThrow(ResticFailure);
  const twice = [
    { name: "a", type: "symlink", linktarget: "/" },
    { name: "\\x61", type: "dir", subtree: ID },
  ];
  expect(() => parseTree(text({ nodes: twice }))).toThrow("has a name twice");
  expect(() => parseTree(text({ nodes: [{ name: "a", type: "dir", subtree: "../x" }] }))).toThrow(ResticFailure);
  expect(() => [...parseIndex(text({ packs: [{ id: "../../etc", blobs: [] }] }), "i")]).toThrow(ResticFailure);
});

test("names are what Go's quoting means", () => {
  const names: [string, Buffer][] = [
    ["plain", Buffer.from("plain")],
    ["\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"", Buffer.from("\x07\b\f\n\r\t\v\\'\"")],
    ["\\u00fc\\U0001f600\\101\\xe9", Buffer.concat([Buffer.from("ü😀A"), Buffer.of(0xe9)])],
  ];
  for (const [quoted, raw] of names) expect(unquoteName(quoted)).toEqual(raw);
  for (const wrong of ["\\", "\\q", "\\x1", "\\u12", "\\U00110000"])
    expect(() => unquoteName(wrong)).toThrow(ResticFailure);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const quoted = name.replaceAll(/[\\]/g, "\\\\");
      const raw = Buffer.from(name.toWellFormed());
      expect(unquoteName(quoted.toWellFormed())).toEqual(raw);
      expect(shownName(raw, "none")).toBe(name.toWellFormed());
    }),
    { numRuns: runs(300) },
  );
  expect(() => assertPlain(Buffer.from(".hidden"))).not.toThrow();
});

const key: ResticKey = { encrypt: randomBytes(32), macK: randomBytes(16), macR: randomBytes(16) };

/** As the design document has it. */
function seal(plain: Uint8Array): Buffer {
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-ctr", key.encrypt, iv);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
  const pad = createCipheriv("aes-128-ecb", key.macK, null).setAutoPadding(false).update(iv);
  return Buffer.concat([iv, sealed, poly1305(sealed, Buffer.concat([key.macR, pad]))]);
}

const nameOf = (bytes: Uint8Array): string => `index/${sha256(bytes).toString("hex")}`;

test("one bit that is other, anywhere, keeps a text closed", () => {
  const sealed = seal(Buffer.from("this is restic's"));
  expect(openSealed(key, sealed)).toEqual(Buffer.from("this is restic's"));
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const bent = Buffer.from(sealed);
    bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(openSealed(key, bent)).toBeNull();
  }
  for (let end = 0; end < sealed.length; end++) expect(openSealed(key, sealed.subarray(0, end))).toBeNull();
});

test("a file is packed in a known way, has its name's sum, and never grows without end", () => {
  const packed = (plain: Uint8Array) => seal(Buffer.concat([Buffer.of(2), zstdCompressSync(plain)]));
  const open = (bytes: Uint8Array) => openFile(key, nameOf(bytes), bytes);
  expect(open(seal(Buffer.from("{}")))).toEqual(Buffer.from("{}"));
  expect(Buffer.from(open(packed(Buffer.from("{}"))))).toEqual(Buffer.from("{}"));
  expect(() => open(seal(Buffer.of(9, 1)))).toThrow("unknown way");
  expect(() => open(seal(Buffer.of(2, 1, 2, 3)))).toThrow("cannot be unpacked");
  expect(() => openFile(key, `index/${ID}`, packed(Buffer.from("{}")))).toThrow("another sum");
  expect(() => open(packed(Buffer.alloc(65 * 1024 ** 2)))).toThrow("is larger than");
});

test("a key may ask for no more than there is", () => {
  const usual = { N: 2 ** 15, r: 8, p: 5 };
  expect(workOf(usual)).toBe(2 ** 18 * 5);
  expect(workOf({ N: 2 ** 18, r: 8, p: 1 })).toBe(2 ** 21);
  for (const more of [{ N: 2 ** 21, r: 1 }, { N: 2 ** 20 }, { r: 2 ** 10 }, { p: 1000 }, { N: 1000 }, { N: 1 }])
    expect(workOf({ ...usual, ...more })).toBeNull();
  for (const wrong of [{ N: 0 }, { r: -1 }, { p: 1.5 }, { kdf: "argon2" }, { salt: 5 }])
    expect(parseKeyFile(text({ ...KEY, ...wrong }))).toBeNull();
  expect(parseKeyFile(text({ ...KEY, more: Array.from({ length: 20 }, () => ({})) }))).not.toBeNull();
  expect(parseKeyFile(text({ ...KEY, more: Array.from({ length: 60 }, () => ({})) }))).toBeNull();
});

test("what is small and grows when it is read is refused or cut", () => {
  const folder = (entries: number) => Buffer.from(`{"nodes":[${Array(entries).fill("0").join()}]}`);
  expect(() => parseTree(folder(MOST_NODES))).toThrow("no document of restic");
  expect(() => parseTree(folder(MOST_NODES + 1))).toThrow("has more than 300000 entries");
  expect(() => parseTree(Buffer.from(`{"x":[${Array(2_000_000).fill("[]").join()}]}`))).toThrow("values");
  const named = (count: number, name: (at: number) => string) =>
    parseTree(Buffer.from(`{${Array.from({ length: count }, (_, at) => `${name(at)} :0,`).join("")}"nodes":[]}`));
  expect(named(999, (at) => `"n${at}"`)).toEqual([]);
  for (const name of [(at: number) => `"n${at}"`, (at: number) => `"n${at}\\\\"`, (at: number) => `"\\"${at}"`])
    expect(() => named(1_000, name)).toThrow("more than 1000 names");
  expect(named(5_000, (at) => `"n":"${at}\\":", "n"`)).toEqual([]);
  const words = Array.from({ length: 100 }, () => "w".repeat(999));
  const long = "h".repeat(1_000_000);
  const cut = parseSnapshot(text({ ...SNAPSHOT, paths: words, tags: words, hostname: long, username: long }), ID);
  expect([cut.paths, cut.tags]).toEqual([words.slice(0, 4), words.slice(0, 4)]);
  expect([cut.host.length, cut.user.length]).toEqual([300, 300]);
  const packed = seal(Buffer.concat([Buffer.of(2), zstdCompressSync(Buffer.alloc(2 * 1024 ** 2))]));
  expect(() => openFile(key, nameOf(packed), packed, 1024 ** 2)).toThrow("is larger than 1048576 bytes");
});
