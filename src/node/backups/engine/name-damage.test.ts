import { expect, test } from "bun:test";
import { makeRandom, randomBytes } from "../../../../tests/kit/repository.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { EngineFailure } from "./failure.ts";
import { type DamagedPlace, nameDamage } from "./name-damage.ts";
import type { Repository } from "./repository.ts";
import type { SnapshotPart } from "./snapshot.ts";
import { entryHeaders, tarEnd } from "./tar.ts";

const header = (name: string, size: number) =>
  entryHeaders({
    type: size < 0 ? "folder" : "file",
    name: Buffer.from(name),
    link: null,
    size: Math.max(0, size),
    mode: 0o644,
    uid: 0,
    gid: 0,
    time: "1",
    attributes: [],
  });
const padded = (bytes: Uint8Array) => Buffer.concat([bytes, new Uint8Array((512 - (bytes.length % 512)) % 512)]);

/** A volume with such files, in chunks of 4 KiB, some of them lost; where each file lies. */
function makeVolume(sizes: readonly number[], random: () => number) {
  const pieces: Uint8Array[] = [header("data/", -1)];
  const files: { path: string; from: number; to: number }[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const [index, size] of sizes.entries()) {
    const path = `file-${String(index).padStart(3, "0")}`;
    // What a file holds may look like an archive.
    const inner =
      index % 5 === 0 ? Buffer.concat([header("else/where", 9), padded(new Uint8Array(9))]) : Buffer.alloc(0);
    const content = Buffer.concat([inner, randomBytes(random, size)]);
    const entry = Buffer.concat([header(`data/${path}`, content.length), padded(content)]);
    pieces.push(entry);
    files.push({ path, from: at, to: at + entry.length });
    at += entry.length;
  }
  const archive = Buffer.concat([...pieces, tarEnd()]);
  const CHUNK = 4096;
  const count = Math.ceil(archive.length / CHUNK);
  const idOf = (number: number) => number.toString(16).padStart(64, "0");
  const lost = new Set<string>();
  const get = async (id: string): Promise<Uint8Array> => {
    if (lost.has(id)) throw new EngineFailure("damaged", "lost");
    if (id === "list")
      return Buffer.concat(Array.from({ length: count }, (_, index) => Buffer.from(idOf(index), "hex")));
    const number = Number.parseInt(id, 16);
    return archive.subarray(number * CHUNK, (number + 1) * CHUNK);
  };
  const part = {
    kind: "volume",
    app: "app",
    name: "data",
    size: archive.length,
    sha256: "",
    list: ["list"],
  } as SnapshotPart;
  return { files, count, lost, idOf, CHUNK, part, repository: { get } as unknown as Repository };
}

/** Whether a file is named, alone or as one of those between two names. */
const isNamed = (places: readonly DamagedPlace[], path: string): boolean =>
  places.some(
    (place) =>
      place.path === null ||
      (place.until === null ? place.path === path : place.path < path && (place.until === "" || path < place.until)),
  );

test("whatever is lost of a volume, each file that it hits is named, and with one loss no other", async () => {
  const random = makeRandom(5);
  for (let round = 0; round < runs(40); round += 1) {
    const sizes = Array.from({ length: 12 }, () => Math.floor(random() * (random() < 0.3 ? 40_000 : 900)));
    const { files, count, lost, idOf, CHUNK, part, repository } = makeVolume(sizes, random);
    const losses = 1 + (round % 3);
    const numbers = Array.from({ length: losses }, () => Math.floor(random() * count));
    for (const number of numbers) lost.add(idOf(number));
    const { places } = await nameDamage(repository, [part], "data", () => true);
    const hit = files.filter(({ from, to }) =>
      numbers.some((number) => from < (number + 1) * CHUNK && to > number * CHUNK),
    );
    for (const { path } of hit) expect([round, path, isNamed(places, path)]).toEqual([round, path, true]);
    if (losses > 1) continue;
    const named = files.filter(({ path }) => isNamed(places, path));
    expect([round, named.map(({ path }) => path)]).toEqual([round, hit.map(({ path }) => path)]);
  }
});
