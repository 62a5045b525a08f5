import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { AppError } from "../../src/kernel/http/errors.ts";
import { fromPem, toPem } from "../../src/lib/pem.ts";
import { parseCsr } from "../../src/panel/agents/pki/index.ts";
import { makeCsr } from "../../src/shared/agent-protocol/make-csr.ts";

const LABEL = "CERTIFICATE REQUEST";

/** Numbers in [0, limit), the same ones for the same seed (mulberry32). */
function seeded(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

type Pick = (limit: number) => number;

const MUTATIONS: ((bytes: Buffer, others: Buffer[], pick: Pick) => Buffer)[] = [
  (bytes, _, pick) => {
    for (let flips = 1 + pick(4); flips > 0; flips--) {
      const at = pick(bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << pick(8));
    }
    return bytes;
  },
  (bytes, _, pick) => bytes.subarray(0, pick(bytes.length)),
  (bytes, _, pick) => {
    const at = pick(bytes.length);
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(Array.from({ length: 1 + pick(8) }, () => pick(256))),
      bytes.subarray(at),
    ]);
  },
  (bytes, _, pick) => {
    bytes[pick(Math.min(bytes.length, 40))] = pick(256);
    return bytes;
  },
  // Another request's middle in this one's frame: the shape stays right, the signature must not.
  (bytes, others, pick) => {
    const other = others[pick(others.length)] ?? bytes;
    const [from, length] = [pick(Math.min(bytes.length, other.length)), pick(120)];
    other.copy(bytes, from, from, Math.min(from + length, other.length));
    return bytes;
  },
  (bytes, _, pick) => Buffer.concat([bytes, Buffer.alloc(1 + pick(4), pick(256))]),
];

/** Mutates good requests: what crashed, what passed with a key that is none of the signers', how many were refused. */
export function fuzzRequests(runs: number, seed: number): { crashes: string[]; foreign: string[]; refusals: number } {
  const pick = seeded(seed);
  const keys: KeyObject[] = [
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
    generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey,
    generateKeyPairSync("ed25519").privateKey,
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
  ];
  const sources = keys.map((key) => Buffer.from(fromPem(LABEL, makeCsr(key, "node-1")) ?? new Uint8Array()));
  const prints = sources.map((bytes) => parseCsr(toPem(LABEL, bytes)).fingerprint);
  const result = { crashes: [] as string[], foreign: [] as string[], refusals: 0 };
  for (let run = 0; run < runs; run++) {
    const from = pick(sources.length);
    let bytes = Buffer.from(sources[from] ?? new Uint8Array());
    for (let rounds = 1 + pick(2); rounds > 0 && bytes.length > 0; rounds--) {
      bytes = Buffer.from(MUTATIONS[pick(MUTATIONS.length)]?.(bytes, sources, pick) ?? bytes);
    }
    try {
      const read = parseCsr(toPem(LABEL, bytes));
      const print = createHash("sha256").update(read.publicKey).digest("hex");
      if (print !== prints[from] || read.fingerprint !== print) result.foreign.push(bytes.toString("hex"));
    } catch (error) {
      if (error instanceof AppError && error.code === "invalid_csr") result.refusals += 1;
      else result.crashes.push(`${bytes.toString("hex")}: ${error}`);
    }
  }
  return result;
}
