import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { type DavNode, lockInfo, openDavNode } from "../../../../tests/kit/dav-node.ts";

let world: DavNode;
beforeAll(async () => {
  world = await openDavNode();
});
afterAll(() => world.close());

/** Asks for a lock where nothing is; what another program does happens when the empty file has just been made. */
async function lockWhile(path: string, meanwhile: () => Promise<{ status: number }>): Promise<number> {
  const { drive } = world.node.ctx;
  const receive = drive.receive.bind(drive);
  const watched = spyOn(drive, "receive").mockImplementationOnce(async (...asked) => {
    const file = await receive(...asked);
    expect((await meanwhile()).status).toBeLessThan(300);
    return file;
  });
  const { status } = await world.dav(`LOCK ${path}`, { body: lockInfo() });
  watched.mockRestore();
  return status;
}

test.each([
  ["removed", "/gone.txt", () => world.dav("DELETE /gone.txt")],
  ["moved", "/left.txt", () => world.dav("MOVE /left.txt", { headers: { destination: "/dav/drive/there.txt" } })],
])("a lock whose empty file was %s in the same moment is refused, and locks nothing else", async (_, path, change) => {
  expect(await lockWhile(path, change)).toBe(412);
  expect((await world.dav(`PUT ${path}`, { body: "x" })).status).toBe(201);
  expect((await world.dav("PUT /other.txt", { body: "x" })).status).toBeLessThan(300);
});

test("locks that are asked for in the same moment are no more than a Drive can have", async () => {
  const { db } = world.node.ctx;
  await world.dav("PUT /locked.txt", { body: "x" });
  await world.dav("LOCK /locked.txt", { body: lockInfo("shared") });
  const others = JSON.stringify(Array.from({ length: 480 }, (_, at) => `token ${at}`));
  db.raw.run(
    `INSERT INTO dav_locks (token, user_id, node_id, is_shared, is_deep, owner, timeout_s, expires_at)
     SELECT value, user_id, node_id, 1, 0, '', 60, expires_at FROM dav_locks, json_each(?)`,
    [others],
  );
  const ask = (_: unknown, at: number) => world.dav(`LOCK /many-${at}`, { body: lockInfo(), headers: { depth: "0" } });
  const statuses = (await Promise.all(Array.from({ length: 30 }, ask))).map(({ status }) => status);
  db.raw.run("DELETE FROM dav_locks");
  expect(statuses.toSorted()).toEqual([...Array(19).fill(201), ...Array(11).fill(507)]);
});
