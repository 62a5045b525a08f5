import { afterEach, beforeEach, expect, test } from "bun:test";
import type { TestNode } from "../../../../tests/kit/node-app.ts";
import { closeStorageNode, openStorageNode } from "../../../../tests/kit/storage-node.ts";
import { fail as driveFail } from "../drive/contract.ts";
import { CHUNK_BYTES } from "../drive/index.ts";
import { beginShared, takeShared } from "./add-large.ts";
import { createGates, type Gates } from "./gates.ts";
import type { Own } from "./needs.ts";

let node: TestNode;
beforeEach(() => {
  node = openStorageNode();
});
afterEach(() => closeStorageNode(node));

/** A link to a folder, and what is counted of what comes by it. */
async function openLink() {
  const folder = (await node.call("POST /api/drive/folders", { as: "admin", body: { name: "Box", parent_id: null } }))
    .body;
  const route = `POST /api/drive/nodes/${folder.id}/share`;
  const { path } = (await node.call(route, { as: "admin", body: { mode: "drop" } })).body;
  const inner = createGates(node.clock);
  const counted = { came: 0, parts: [] as number[], files: 0 };
  const gates: Gates = {
    ...inner,
    upload: (share, ip) => {
      const putIn = inner.upload(share, ip);
      counted.came += 1;
      return (put) =>
        putIn(async () => {
          const made = await put();
          counted.files += 1;
          return made;
        });
    },
    chunk: (share, ip, part) => {
      const count = inner.chunk(share, ip, part);
      counted.came += 1;
      return () => {
        count();
        counted.parts.push(part);
      };
    },
  };
  const own: Own = { ...node.ctx, gates };
  return { own, visitor: { ip: "192.0.2.1", token: path.replace("/s/", ""), pass: undefined }, counted };
}

const piecesOf = async function* (...sizes: number[]) {
  for (const size of sizes) yield new Uint8Array(size);
};

test("a chunk is counted by its bytes once they are all here, and one that does not fit for its network alone", async () => {
  const { own, visitor, counted } = await openLink();
  const { upload_id: id } = await beginShared(own, visitor, { name: "a", size_bytes: CHUNK_BYTES * 1.5 });
  expect(counted).toEqual({ came: 1, parts: [], files: 1 });
  const send = (number: number, ...sizes: number[]) => takeShared(own, visitor, id, { number }, piecesOf(...sizes));
  const half = CHUNK_BYTES / 2;
  for (const [number, ...sizes] of [[1], [1, 5], [2, half + 1], [2, half, 1], [2, half - 1], [3], [3, 5]] as const)
    await expect(send(number, ...sizes)).rejects.toThrow("There is no such chunk");
  expect(counted).toEqual({ came: 8, parts: [], files: 1 });
  await send(2, half - 1, 1);
  await send(1, half, half);
  expect(counted).toEqual({ came: 10, parts: [0.5, 1], files: 1 });
});

test("a chunk that fits is refused before it is stored where no more may come", async () => {
  const { own, visitor } = await openLink();
  const { upload_id: id } = await beginShared(own, visitor, { name: "a", size_bytes: 5 });
  const refused = driveFail("drive_uploads_limit", { limit: 0 });
  const gates: Gates = {
    ...own.gates,
    chunk: () => () => {
      throw refused;
    },
  };
  await expect(takeShared({ ...own, gates }, visitor, id, { number: 1 }, piecesOf(5))).rejects.toBe(refused);
  const by = node.ctx.db.raw
    .query<{ user_id: string; share_id: string }, []>("SELECT user_id, id AS share_id FROM drive_shares")
    .get();
  expect(
    own.drive.shared.read({ ip: "", user_id: by?.user_id ?? "", share_id: by?.share_id ?? "" }, id).received,
  ).toEqual([]);
});

test("a large file that is refused counts for its network alone", async () => {
  const { own, visitor, counted } = await openLink();
  const begin = (name: string) => beginShared(own, visitor, { name, size_bytes: 5 });
  for (let no = 0; no < 20; no += 1) await begin(`${no}`);
  await expect(begin("more")).rejects.toThrow("At most 20 uploads");
  expect(counted).toMatchObject({ came: 21, files: 20 });
});
