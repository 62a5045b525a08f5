import { expect, test } from "bun:test";
import { openS3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { keepWaiting } from "../../../../../tests/kit/waiting-crowd.ts";
import { networksAround } from "../../../../kernel/http/peer.ts";

test("S3 has its turns with all else: where too many of one wait, theirs are refused and others answered", async () => {
  const s3 = await openS3Node(["open-door"]);
  expect((await s3.s3("PUT", "open-door", { key: "a", body: "x" })).status).toBe(200);
  const crowd = keepWaiting(s3.node.ctx.takeTurn, ["", ...networksAround("127.0.0.1")], 200);
  const refused = await fetch(`${s3.url}/open-door/a`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.text()).toContain("<Code>SlowDown</Code>");
  const before = crowd.turns();
  expect((await s3.s3("GET", "open-door", { key: "a" })).text).toBe("x");
  expect(crowd.turns()).toBeGreaterThan(before);
  crowd.end();
  await until(async () => (await fetch(`${s3.url}/open-door/a`)).status === 200, { everyMs: 1 });
  await s3.close();
});

test("a key that was revoked while its request waited opens nothing", async () => {
  const s3 = await openS3Node(["open-door"]);
  await s3.s3("PUT", "open-door", { key: "a", body: "x" });
  const { db, objects, takeTurn } = s3.node.ctx;
  const crowds = Array.from({ length: 50 }, (_, at) => keepWaiting(takeTurn, ["others", `${at}`], 50));
  const asked = s3.s3("GET", "open-door", { key: "a" });
  // Some of the forty turns that it waits.
  await until(() => crowds.every((crowd) => crowd.turns() > 10), { everyMs: 1 });
  db.raw.run("DELETE FROM object_keys");
  objects.refresh();
  for (const crowd of crowds) crowd.end();
  expect((await asked).code).toBe("InvalidAccessKeyId");
  await s3.close();
});
