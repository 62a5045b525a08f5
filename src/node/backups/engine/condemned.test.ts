import { expect, test } from "bun:test";
import { makeRandom, randomBytes } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { condemnDamaged, DAMAGED, KEPT, readCondemned, writeCondemned } from "./condemned.ts";
import { decrypt, encrypt } from "./keys.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createPackTable } from "./pack-table.ts";

const SECRET = new Uint8Array(32).fill(3);
const NAMES = Array.from({ length: 50 }, (_, at) => {
  const sum = sha256Hex(Uint8Array.of(at));
  return `packs/${sum.slice(0, 2)}/${sum}`;
});

function tableOf(names: readonly string[]) {
  const packs = createPackTable();
  for (const name of names) packs.add(name, 100);
  return packs;
}

test("a list comes back as it was written, as JSON that the format tells of; packs that are gone or new are no part of it", async () => {
  const target = openLocalFolder(makeScratch("condemned"));
  const packs = tableOf(NAMES);
  const since = new Float64Array(NAMES.length).fill(KEPT);
  const condemned = new Map([
    [NAMES[3], 1_800_000_000_000],
    [NAMES[17], DAMAGED],
    [NAMES[49], 7],
  ]);
  for (const [at, name] of NAMES.entries()) since[at] = condemned.get(name) ?? KEPT;
  await writeCondemned(target, SECRET, packs, { number: 4, since });
  const plain = decrypt(SECRET, "condemned", await target.read("condemned/000000000005"));
  expect(JSON.parse(Bun.zstdDecompressSync(plain ?? new Uint8Array()).toString())).toEqual({ packs: [...condemned] });
  expect(await readCondemned(target, SECRET, packs)).toEqual({ number: 5, since });

  const others = tableOf([...NAMES.slice(10).toReversed(), `packs/ff/${"f".repeat(64)}`]);
  const found = await readCondemned(target, SECRET, others);
  expect(Object.fromEntries([...found.since.entries()].filter(([, when]) => when !== KEPT))).toEqual({
    32: DAMAGED,
    0: 7,
  });

  await condemnDamaged(target, SECRET, packs, [NAMES[0] ?? "", "packs/no/pack"]);
  since[0] = DAMAGED;
  expect(await readCondemned(target, SECRET, packs)).toEqual({ number: 6, since });
  await writeCondemned(target, SECRET, packs, { number: 6, since: since.fill(KEPT) });
  expect(await readCondemned(target, SECRET, packs)).toEqual({ number: 7, since });
});

test("a list that is none condemns nothing", async () => {
  const target = openLocalFolder(makeScratch("condemned"));
  const packs = tableOf(NAMES);
  const pair = `["${NAMES[2]}",5]`;
  const bad = [
    "",
    "null",
    "[]",
    '{"packs":[',
    `{"packs":[${pair}`,
    `{"packs":[${pair},{}]}`,
    `{"packs":[${pair},["a",-1]]}`,
  ];
  const written = bad.map((text) => encrypt(SECRET, "condemned", Bun.zstdCompressSync(Buffer.from(text))));
  written.push(encrypt(SECRET, "other", Bun.zstdCompressSync(Buffer.from(`{"packs":[${pair}]}`))));
  written.push(encrypt(SECRET, "condemned", Bun.zstdCompressSync(Buffer.alloc(200_000_000))));
  written.push(randomBytes(makeRandom(1), 300));
  for (const [number, bytes] of written.entries()) {
    await target.write(`condemned/${String(number + 1).padStart(12, "0")}`, bytes);
    const found = await readCondemned(target, SECRET, packs);
    expect([number, found.number, [...found.since].filter((when) => when !== KEPT)]).toEqual([number, number + 1, []]);
  }
});
