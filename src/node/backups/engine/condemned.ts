import { letGo } from "./chunk-work.ts";
import { EngineFailure } from "./failure.ts";
import { decrypt, encrypt } from "./keys.ts";
import { type PackTable, SUM_BYTES } from "./pack-table.ts";
import type { Target } from "./target.ts";
import { holdsAtMost } from "./unpacked-size.ts";

const FOLDER = "condemned";
const BOUND_TO = "condemned";

type Packs = Pick<PackTable, "count" | "writeName" | "finder">;

/** In place of a time: the pack is damaged, and what is needed of it is stored anew where its source is still there. */
export const DAMAGED = 0;
/** In place of a time: it is not condemned. */
export const KEPT = -1;

/** Packs that nothing needs any more, and damaged ones. */
export interface Condemned {
  /** The newest list's; 0 where there is none. */
  number: number;
  /** By a pack's number: the time when it was found that nothing needs it, milliseconds since 1970, or one of the words above. */
  since: Float64Array;
}

const HEAD = Buffer.from('{"packs":[');
const FOOT = Buffer.from("]}");
const [QUOTE = 0, COMMA = 0, BRACKET_END = 0] = Buffer.from('",]');
/** `packs/ab/` before the sum of a name in hex. */
const PREFIX_BYTES = 9;
/** `["`, the name, `",`, sixteen digits and `],`. */
const MOST_PAIR = 2 + PREFIX_BYTES + SUM_BYTES * 2 + 2 + 16 + 2;

const nameOf = (number: number): string => `${FOLDER}/${String(number).padStart(12, "0")}`;

/** How often it names a pack for each that is there, at most: those that went meanwhile are still on it. */
const mostBytes = (packs: Packs): number => (packs.count() * 4 + 10_000) * MOST_PAIR;

/**
 * Reads the pairs of a list as they lie there: as text and values they would take ten times as much memory. False for what is none; what was
 * told until then does not count.
 */
function readPairs(plain: Buffer, tell: (name: Buffer, since: number) => void): boolean {
  const end = plain.length - FOOT.length;
  if (!plain.subarray(0, HEAD.length).equals(HEAD) || end < HEAD.length || !plain.subarray(end).equals(FOOT))
    return false;
  for (let at = HEAD.length; at < end; ) {
    const name = at + 2;
    const nameEnd = plain.indexOf(QUOTE, name);
    const pairEnd = plain.indexOf(BRACKET_END, nameEnd);
    if (nameEnd < 0 || pairEnd < 0 || pairEnd >= end || pairEnd - at > MOST_PAIR) return false;
    let since = 0;
    for (let digit = nameEnd + 2; digit < pairEnd; digit += 1) since = since * 10 + (plain[digit] ?? 0) - 48;
    if (!Number.isSafeInteger(since) || since < 0) return false;
    tell(plain.subarray(name, nameEnd), since);
    at = pairEnd + (plain[pairEnd + 1] === COMMA ? 2 : 1);
  }
  return true;
}

/** The newest list, of packs that are there. One that cannot be read condemns nothing. */
export async function readCondemned(target: Target, secret: Uint8Array, packs: Packs): Promise<Condemned> {
  const none = () => new Float64Array(packs.count()).fill(KEPT);
  const last = (await target.list(FOLDER)).at(-1);
  if (last === undefined) return { number: 0, since: none() };
  const number = Number(last.name.slice(FOLDER.length + 1));
  const sealed = await target.read(last.name).catch((error: unknown) => {
    // Whoever tidies up has written a newer one in between.
    if (error instanceof EngineFailure && error.code === "target_missing") return new Uint8Array();
    throw error;
  });
  const packed = decrypt(secret, BOUND_TO, sealed);
  letGo(sealed);
  if (packed === null || !holdsAtMost(packed, mostBytes(packs))) return { number, since: none() };
  const plain = Bun.zstdDecompressSync(packed);
  letGo(packed);
  const since = none();
  const find = packs.finder();
  const isList = readPairs(plain, (name, when) => {
    const pack = find(name);
    if (pack !== null) since[pack] = when;
  });
  letGo(plain);
  return { number, since: isList ? since : none() };
}

/** The text of a list, written piece by piece into the memory that it ends up in. */
function listOf(packs: Packs, since: Float64Array): Uint8Array {
  const count = since.reduce((sum, when) => (when === KEPT ? sum : sum + 1), 0);
  const text = Buffer.from(new ArrayBuffer(HEAD.length + count * MOST_PAIR + FOOT.length));
  let at = HEAD.copy(text);
  let isFirst = true;
  for (const [pack, when] of since.entries()) {
    if (when === KEPT) continue;
    at += text.write(isFirst ? '["' : ',["', at, "latin1");
    at += packs.writeName(pack, text, at);
    at += text.write(`",${when}]`, at, "latin1");
    isFirst = false;
  }
  at += FOOT.copy(text, at);
  const packed = Bun.zstdCompressSync(text.subarray(0, at));
  letGo(text);
  return packed;
}

/** Writes the next list, and then removes those before. */
export async function writeCondemned(
  target: Target,
  secret: Uint8Array,
  packs: Packs,
  { number, since }: Condemned,
): Promise<void> {
  const before = await target.list(FOLDER);
  const sealed = encrypt(secret, BOUND_TO, listOf(packs, since));
  await target.write(nameOf(number + 1), sealed);
  letGo(sealed);
  for (const { name } of before) await target.remove(name);
}

/** Lets nothing rely on damaged packs from now on. */
export async function condemnDamaged(
  target: Target,
  secret: Uint8Array,
  packs: Packs,
  damaged: readonly string[],
): Promise<void> {
  const condemned = await readCondemned(target, secret, packs);
  const find = packs.finder();
  for (const name of damaged) {
    const pack = find(Buffer.from(name));
    if (pack !== null) condemned.since[pack] = DAMAGED;
  }
  await writeCondemned(target, secret, packs, condemned);
}
