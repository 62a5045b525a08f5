import { expect } from "bun:test";
import type { DriveNode, DriveVersion } from "../../src/node/storage/drive/contract.ts";
import { closeDriveNode, openDriveNode } from "./drive-node.ts";
import { madeBytes } from "./made-bytes.ts";

const sums = new Map<string, string>();
function sumOf(made: string): string {
  const [seed, size] = made.split(" ").map(Number);
  const sum = sums.get(made) ?? new Bun.CryptoHasher("sha256").update(madeBytes(seed ?? 0, size ?? 0)).digest("hex");
  sums.set(made, sum);
  return sum;
}

/** Where a file may be: its contents one after the other, and where it is. */
interface State {
  history: readonly string[];
  place: "tree" | "trash" | "nowhere";
}

/** What each file may be after the end of `drive-life-child.ts`: one state, or two where something was begun and not acknowledged. */
export function statesOf(told: string): Map<string, State[]> {
  const files = new Map<string, State[]>();
  for (const line of told.slice(0, told.lastIndexOf("\n") + 1).split("\n")) {
    const [what = "", name = "", ...rest] = line.split(" ");
    if (what === "") continue;
    const [before = { history: [], place: "nowhere" } satisfies State] = files.get(name) ?? [];
    const after: State = what.startsWith("sen")
      ? {
          history:
            what === "sent" && before.history.at(-1) === rest.join(" ")
              ? before.history
              : [...before.history, rest.join(" ")],
          place: "tree",
        }
      : { ...before, place: what.startsWith("trash") ? "trash" : "nowhere" };
    files.set(name, what.endsWith("ing") ? [before, after] : [after]);
  }
  return files;
}

/**
 * Expects the Drive below `folder` to be what it may: each file where it may be with its versions, each content stored once and whole, and
 * none that nobody has.
 */
export async function expectDriveTruth(folder: string, states: ReadonlyMap<string, readonly State[]>): Promise<void> {
  const node = openDriveNode(folder, 1);
  try {
    const get = async (route: string) => (await node.call(`GET ${route}`, { as: "admin" })).body;
    const tree: DriveNode[] = (await get("/api/drive/tree")).nodes;
    const { nodes: trash }: { nodes: DriveNode[] } = await get("/api/drive/trash");
    const held = new Set<string>();
    for (const [name, allowed] of states) {
      const [file, thrown] = [tree, trash].map((nodes) => nodes.find((one) => one.name === name));
      const found = file ?? thrown;
      let history: string[] = [];
      if (found !== undefined && found === file) {
        const { versions } = await get(`/api/drive/nodes/${found.id}/versions`);
        history = [found.sha256 ?? "", ...versions.map(({ sha256 }: DriveVersion) => sha256)].toReversed();
      }
      const place = file !== undefined ? "tree" : thrown !== undefined ? "trash" : "nowhere";
      const meant = allowed.find((state) => {
        const told = state.history.map(sumOf);
        return state.place === place && (place !== "tree" || told.join() === history.join());
      });
      expect([name, place, history.length, meant !== undefined]).toEqual([name, place, history.length, true]);
      if (place !== "nowhere") for (const made of meant?.history ?? []) held.add(sumOf(made));
    }
    await expectContents(node, held);
  } finally {
    await closeDriveNode(node);
  }
}

async function expectContents(node: ReturnType<typeof openDriveNode>, held: Set<string>): Promise<void> {
  const { objectStore, jobs, db } = node.ctx;
  // A large file that was cut off between its bytes and its name keeps them for whoever goes on with it.
  const half = db.raw.query<{ sha256: string }, []>(
    "SELECT sha256 FROM drive_uploads WHERE sha256 IS NOT NULL AND node_id IS NULL",
  );
  const waiting = half.all().map(({ sha256 }) => sha256);
  await jobs.run("drive-purge");
  const bucket = objectStore.findBucket("service-drive");
  const find = (sum: string) => objectStore.findObject(bucket?.id ?? "", Buffer.from(sum));
  for (const sum of waiting) if (find(sum) !== null) held.add(sum);
  expect(bucket?.object_count ?? 0).toBe(held.size);
  for (const sum of held) {
    const object = find(sum);
    const hasher = new Bun.CryptoHasher("sha256");
    const bytes = object && (await objectStore.open(object, { start: 0, length: object.size }));
    for await (const piece of bytes ?? []) hasher.update(piece);
    expect(hasher.digest("hex")).toBe(sum);
  }
}
