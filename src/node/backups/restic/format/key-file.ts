import { scryptSync } from "node:crypto";
import { isRecord, parseJson, shapeOf } from "../../../../lib/json.ts";
import { openSealed, type ResticKey } from "./seal.ts";

/** A repository that somebody else made could ask for any amount of memory and time. */
const MOST_MEMORY = 256 * 1024 * 1024;
const MOST_WORK = 2 ** 25;
const MOST_N = 2 ** 20;

/** A key file is an object of nine values; nobody has to know a password to write one. */
const MOST_VALUES = 100;
const DEEPEST = 4;

/** What a key file asks for and holds. */
interface KeyFile {
  N: number;
  r: number;
  p: number;
  salt: Buffer;
  data: Buffer;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

const bytesOf = (value: unknown): Buffer | null => (typeof value === "string" ? Buffer.from(value, "base64") : null);

/** Null for what is none. */
export function parseKeyFile(bytes: Uint8Array): KeyFile | null {
  const text = Buffer.from(bytes).toString();
  const { nesting, values } = shapeOf(text);
  const file = nesting > DEEPEST || values > MOST_VALUES ? null : parseJson(text);
  if (!isRecord(file) || file["kdf"] !== "scrypt") return null;
  const { N, r, p } = file;
  const salt = bytesOf(file["salt"]);
  const data = bytesOf(file["data"]);
  return isCount(N) && isCount(r) && isCount(p) && salt !== null && data !== null ? { N, r, p, salt, data } : null;
}

/** How much a key costs in all; null where that is more memory than one may have, or no cost at all. */
export function workOf({ N, r, p }: Pick<KeyFile, "N" | "r" | "p">): number | null {
  const isFair = N >= 2 && N <= MOST_N && Number.isInteger(Math.log2(N)) && 128 * N * r <= MOST_MEMORY;
  const work = N * r * p;
  return isFair && work <= MOST_WORK ? work : null;
}

/** The repository's key out of a key file; null where the password does not open it. */
export function openKeyFile({ N, r, p, salt, data }: KeyFile, password: string): ResticKey | null {
  const derived = scryptSync(password, salt, 64, { N, r, p, maxmem: 2 * MOST_MEMORY });
  const own = { encrypt: derived.subarray(0, 32), macK: derived.subarray(32, 48), macR: derived.subarray(48, 64) };
  const plain = openSealed(own, data);
  const key = plain === null ? null : parseJson(Buffer.from(plain).toString());
  if (!isRecord(key) || !isRecord(key["mac"])) return null;
  const encrypt = bytesOf(key["encrypt"]);
  const macK = bytesOf(key["mac"]["k"]);
  const macR = bytesOf(key["mac"]["r"]);
  return encrypt?.length === 32 && macK?.length === 16 && macR?.length === 16 ? { encrypt, macK, macR } : null;
}
