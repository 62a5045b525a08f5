import { expect, test } from "bun:test";
import { addTarget, backUp, get, post, untilOver } from "../../../../tests/kit/backup-calls.ts";
import { createTestNode } from "../../../../tests/kit/node-app.ts";

test("a restore whose backup before it is cancelled was cancelled, too, and changed nothing", async () => {
  const node = createTestNode();
  const { id: target } = await addTarget(node);
  await post(node, "/api/objects/buckets", { name: "photos" });
  const { id } = await backUp(node, target);
  const wish = { buckets: ["photos"], remove_later: false, drives: [], drives_over: false };
  const { op_id } = (await post(node, `/api/backups/${id}/objects/restore`, wish)).body;
  const [before] = await get(node, "/api/backups");
  expect((await post(node, `/api/backups/${before.id}/cancel`)).status).toBe(200);
  expect(await untilOver(node, op_id)).toBe("failed");
  expect(node.ctx.operations.get(op_id).error).toMatchObject({
    code: "backup_cancelled",
    message: expect.stringContaining("nothing was changed: It was cancelled by admin."),
  });
  expect(node.events.map(({ name }) => name)).not.toContain("backup.restored");
  node.close();
});
