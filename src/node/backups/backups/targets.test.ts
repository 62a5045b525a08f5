import { expect, test } from "bun:test";
import { createTestNode } from "../../../../tests/kit/node-app.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";

test("what opens one target opens no other, whoever writes to the database", async () => {
  const node = createTestNode();
  const add = async (name: string): Promise<string> => {
    const body = { type: "local", name, path: makeScratch(name) };
    return (await node.call("POST /api/backup/targets", { as: "admin", body })).body.id;
  };
  const [first, second] = [await add("first"), await add("second")];
  const passOn = (column: string) =>
    node.ctx.db.raw.run(
      `UPDATE backup_targets SET ${column} = (SELECT ${column} FROM backup_targets WHERE id = ?) WHERE id = ?`,
      [first, second],
    );
  passOn("repository_key");
  expect((await node.call(`POST /api/backup/targets/${second}/test`, { as: "admin" })).status).toBe(500);
  passOn("kit_key");
  const kit = async (id: string) => (await node.call(`GET /api/backup/targets/${id}/kit`, { as: "admin" })).status;
  expect([await kit(first), await kit(second)]).toEqual([200, 500]);
  node.close();
});
