import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type ReleaseStatement, writeReleaseList } from "../kernel/service/release-list.ts";

/** The key that signs releases and its public half (PEM, SPKI) as it is carried in the programs. */
export interface SigningKey {
  privateKey: KeyObject;
  publicKey: string;
}

/**
 * Reads the Ed25519 key (PEM, PKCS #8) from `file`; without one it makes and keeps a development key in `dataDir`,
 * so that builds of one checkout accept each other as upgrades and nobody else's.
 */
export function openSigningKey(file: string | undefined, dataDir: string, say: (line: string) => void): SigningKey {
  const path = file ?? join(dataDir, "dev-signing-key.pem");
  if (file === undefined && !existsSync(path)) {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" });
    writeFileSync(path, pem, { mode: 0o600 });
    say(`Made a development signing key: ${path}`);
  }
  const privateKey = createPrivateKey(readFileSync(path, "utf8"));
  if (privateKey.asymmetricKeyType !== "ed25519") throw new Error(`${path} is not an Ed25519 key`);
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
  return { privateKey, publicKey };
}

/** A file to be signed, and what it is. */
export interface ReleaseAsset extends Pick<ReleaseStatement, "program" | "version" | "target"> {
  path: string;
}

/** Writes SHA256SUMS for the files, SHA256SUMS.sig (64 raw bytes over SHA256SUMS) and release.pub beside them. */
export async function signSums(folder: string, files: readonly ReleaseAsset[], key: SigningKey): Promise<void> {
  const statements: ReleaseStatement[] = [];
  for (const { path, ...facts } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const hash = createHash("sha256");
    for await (const chunk of Bun.file(path).stream()) hash.update(chunk);
    statements.push({ ...facts, sha256: hash.digest("hex"), name: basename(path) });
  }
  const sums = Buffer.from(writeReleaseList(statements));
  writeFileSync(join(folder, "SHA256SUMS"), sums);
  writeFileSync(join(folder, "SHA256SUMS.sig"), sign(null, sums, key.privateKey));
  writeFileSync(join(folder, "release.pub"), key.publicKey);
}
