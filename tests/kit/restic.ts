/** The real restic program, for tests that read what it writes. */
import { createCipheriv, createHash, randomBytes, scryptSync } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { poly1305 } from "@noble/ciphers/_poly1305.js";
import { openKeyFile, parseKeyFile } from "../../src/node/backups/restic/format/key-file.ts";
import { makeScratch } from "./scratch.ts";

export const RESTIC_PASSWORD = "correct horse, battery staple";

/** A repository on disk and the program that writes to it. */
export interface ResticProgram {
  path: string;
  /** Runs it and answers what it says; throws when it fails. */
  run(...words: string[]): string;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** Seals as restic does: IV, text by AES-256-CTR, and its Poly1305 under a key that AES-128 makes of the IV. */
function seal(keys: Uint8Array, text: string): Uint8Array {
  const iv = randomBytes(16);
  const sealed = createCipheriv("aes-256-ctr", keys.subarray(0, 32), iv).update(text);
  const once = createCipheriv("aes-128-ecb", keys.subarray(32, 48), null).setAutoPadding(false).update(iv);
  return Buffer.concat([iv, sealed, poly1305(sealed, Buffer.concat([keys.subarray(48, 64), once]))]);
}

/** Puts the repository's key under a password that costs next to nothing to try: with restic's own each call takes most of a second. */
function makeCheap(path: string): void {
  const folder = join(path, "keys");
  const [name = ""] = readdirSync(folder);
  const text = readFileSync(join(folder, name));
  const file = parseKeyFile(text);
  const key = file && openKeyFile(file, RESTIC_PASSWORD);
  if (!key) throw new Error("restic made a key that cannot be opened");
  const cost = { N: 256, r: 8, p: 1 };
  const salt = randomBytes(64);
  const plain = { mac: { k: base64(key.macK), r: base64(key.macR) }, encrypt: base64(key.encrypt) };
  const data = base64(seal(scryptSync(RESTIC_PASSWORD, salt, 64, cost), JSON.stringify(plain)));
  const cheap = JSON.stringify({ ...JSON.parse(text.toString()), ...cost, salt: base64(salt), data });
  rmSync(join(folder, name));
  writeFileSync(join(folder, createHash("sha256").update(cheap).digest("hex")), cheap);
}

/** An empty repository of each version that was asked for; those of tests are copies. */
const empty = new Map<number, string>();

/** Makes a repository of that version of the format. */
export function makeRestic(version: 1 | 2): ResticProgram {
  const path = makeScratch("restic");
  const cache = makeScratch("restic-cache");
  mkdirSync(cache, { recursive: true });
  const runAt = (repository: string, words: string[]): string => {
    const env = { ...process.env, RESTIC_PASSWORD, RESTIC_CACHE_DIR: cache, RESTIC_REPOSITORY: repository };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["restic", ...words], { env });
    if (exitCode !== 0) throw new Error(`restic ${words.join(" ")}: ${stderr.toString()}`);
    return stdout.toString();
  };
  const known = empty.get(version) ?? makeScratch("restic-empty");
  if (!empty.has(version)) {
    runAt(known, ["init", "--repository-version", String(version)]);
    makeCheap(known);
    empty.set(version, known);
  }
  cpSync(known, path, { recursive: true });
  return { path, run: (...words) => runAt(path, words) };
}

/** The files of a folder of a repository. */
export const resticFiles = ({ path }: ResticProgram, folder: string): string[] =>
  [...new Bun.Glob("**/*").scanSync({ cwd: join(path, folder) })].sort().map((name) => join(path, folder, name));
