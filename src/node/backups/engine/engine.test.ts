import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { backUp, failing, makeRandom, randomBytes, readAll, same } from "../../../../tests/kit/repository.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createChunker, makeGear } from "./chunker.ts";
import { takeLease } from "./lease.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createRepository, openKey } from "./repository.ts";
import { listSnapshots } from "./snapshot.ts";

const KIT = "ABCD-EFGH-JKLM-NPQR-STUV-WXYZ-2345-6789";
const SIZES = { least: 1024, average: 4096, most: 16_384 };

const cut = (bytes: Uint8Array, step: number): string[] => {
  const chunker = createChunker(makeGear(new Uint8Array(32)), SIZES);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += step) chunks.push(...chunker.push(bytes.subarray(at, at + step)));
  const rest = chunker.end();
  if (rest) chunks.push(rest);
  expect(Buffer.concat(chunks).equals(Buffer.from(bytes))).toBe(true);
  for (const chunk of chunks.slice(0, -1)) expect(chunk.length).toBeGreaterThanOrEqual(SIZES.least);
  for (const chunk of chunks) expect(chunk.length).toBeLessThanOrEqual(SIZES.most);
  return chunks.map((chunk) => createHash("sha256").update(chunk).digest("hex"));
};

test("chunks end where the content says so, however it comes, and a change touches only those around it", () => {
  const bytes = randomBytes(makeRandom(1), 300_000);
  const whole = cut(bytes, 300_000);
  expect(cut(bytes, 777)).toEqual(whole);
  const changed = cut(Buffer.concat([bytes.subarray(0, 150_000), Buffer.from("new"), bytes.subarray(150_000)]), 5000);
  expect(whole.filter((id) => !changed.includes(id)).length).toBeLessThanOrEqual(3);
  expect(cut(new Uint8Array(50_000), 999).length).toBeGreaterThan(2);
});

test("what went in comes out bit by bit, also with the index made anew; what is known is not kept twice", async () => {
  const target = openLocalFolder(makeScratch("repository"));
  const key = await createRepository(target, KIT, null);
  const random = makeRandom(7);
  let streams = [new Uint8Array(0), randomBytes(random, 3_000_000), new Uint8Array(9_000_000), Buffer.from("äöü")];
  const expected = new Map<string, Uint8Array[]>();
  for (let run = 1; run <= 5; run++) {
    const added = await backUp(target, key, `bak_${run}`, streams);
    if (run > 1) expect(added).toBeLessThan(2_700_000);
    expected.set(`bak_${run}`, streams);
    const at = Math.floor(random() * 2_000_000);
    const [empty, big, ...rest] = streams;
    if (!empty || !big) throw new Error("lost");
    streams = [empty, Buffer.concat([big.subarray(0, at), randomBytes(random, 10), big.subarray(at + 5)]), ...rest];
  }
  expect(await listSnapshots(target)).toEqual([...expected.keys()]);
  for (const [id, wanted] of expected) expect(same(await readAll(target, key, id), wanted)).toBe(true);
});

test("the kit's key and the passphrase open a repository, nothing else does", async () => {
  const target = openLocalFolder(makeScratch("keys"));
  const key = await createRepository(target, KIT, "correct horse");
  expect(await openKey(target, KIT)).toEqual(Buffer.from(key));
  expect(await openKey(target, KIT.toLowerCase().replaceAll("-", " "))).toEqual(Buffer.from(key));
  expect(await openKey(target, "correct horse")).toEqual(Buffer.from(key));
  await expect(openKey(target, "wrong horse")).rejects.toMatchObject({ code: "key_wrong" });
  await expect(createRepository(target, KIT, null)).rejects.toMatchObject({ code: "target_exists" });
  await expect(openKey(openLocalFolder(makeScratch("none")), KIT)).rejects.toMatchObject({
    code: "repository_missing",
  });
});

test("cut off at any question: what was reported stays readable, and the next run goes on", async () => {
  const root = makeScratch("cuts");
  const target = openLocalFolder(root);
  const key = await createRepository(target, KIT, null);
  const streams = [randomBytes(makeRandom(3), 700_000)];
  await backUp(target, key, "bak_0", streams);
  const changed = [Buffer.concat([...streams, Buffer.from("more")])];
  let now = 0;
  let wasCut = true;
  for (let count = 0; wasCut; count++) {
    now += 3_600_000;
    const id = `bak_1${count}`;
    const report = await backUp(failing(target, count), key, id, changed, now).then(
      () => true,
      () => false,
    );
    wasCut = !report;
    const found = await listSnapshots(target);
    if (report) expect(found).toContain(id);
    for (const known of found.filter((one) => one === "bak_0" || one === id))
      expect(same(await readAll(target, key, known), known === "bak_0" ? streams : changed)).toBe(true);
    expect(count).toBeLessThan(100);
  }
});

test("a second writer is refused; one that was too long away is fenced off", async () => {
  const target = openLocalFolder(makeScratch("lease"));
  let now = 0;
  const first = await takeLease(target, "one", () => now);
  await expect(takeLease(target, "two", () => now)).rejects.toMatchObject({ code: "busy" });
  now += 9 * 60_000;
  await first.hold();
  now += 9 * 60_000;
  await expect(takeLease(target, "two", () => now)).rejects.toMatchObject({ code: "busy" });
  now += 2 * 60_000;
  const second = await takeLease(target, "two", () => now);
  await expect(first.hold()).rejects.toMatchObject({ code: "fenced" });
  await first.release();
  await second.hold();
  await second.release();
  await takeLease(target, "one", () => now);
});

test("every damaged byte of a pack is found", async () => {
  const root = makeScratch("damage");
  const target = openLocalFolder(root);
  const key = await createRepository(target, KIT, null);
  await backUp(target, key, "bak_0", [randomBytes(makeRandom(5), 2000)]);
  const files = readdirSync(join(root, "packs"), { recursive: true, encoding: "utf8" });
  const path = files.map((name) => join(root, "packs", name)).find((name) => statSync(name).isFile()) ?? "";
  const good = readFileSync(path);
  for (let at = 0; at < good.length; at += 37) {
    const bad = Buffer.from(good);
    bad[at] = (bad[at] ?? 0) ^ 1;
    writeFileSync(path, bad);
    await expect(readAll(target, key, "bak_0")).rejects.toMatchObject({ code: "damaged" });
  }
  writeFileSync(path, good);
  expect((await readAll(target, key, "bak_0")).length).toBe(1);
});

test("names that lead out of a target are refused", async () => {
  const target = openLocalFolder(makeScratch("names"));
  for (const name of ["../x", "/etc/passwd", "packs/../../x", "packs//x", ".hidden", ""])
    await expect(target.write(name, new Uint8Array(1))).rejects.toThrow();
  await target.write("packs/a", Uint8Array.of(1));
  await expect(target.write("packs/a", Uint8Array.of(2))).rejects.toMatchObject({ code: "target_exists" });
  expect(await target.read("packs/a")).toEqual(Uint8Array.of(1));
});
