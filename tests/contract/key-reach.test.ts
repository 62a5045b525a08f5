import { afterAll, expect, test } from "bun:test";
import { createTestNode } from "../kit/node-app.ts";

/**
 * Every changing route that a key may use without further ado, by why nothing that it does there sends anything to a place of the key's
 * choice, or lets strangers in, once the key has ended. What takes away (`DELETE`) is not listed. Who gets in, is told in
 * `keys.test.ts`.
 */
const STAYS_BELOW: Record<string, readonly string[]> = {
  "asks, reads or tries, and is over": [
    "POST /api/alerting/rules/preview",
    "POST /api/alerting/templates/preview",
    "POST /api/apps/plan",
    "POST /api/apps/{id}/config/plan",
    "POST /api/backup/restic/{id}/read",
    "POST /api/backup/search/read",
    "POST /api/backup/search/stop",
    "POST /api/backup/start-tests/{id}",
    "POST /api/backups/{id}/browse",
    "POST /api/backups/{id}/cancel",
    "POST /api/backups/{id}/verify",
    "POST /api/containers/images/check",
    "POST /api/containers/images/pull",
    "POST /api/containers/images/pull/cancel",
    "POST /api/containers/images/prune",
    "POST /api/containers/registries/{id}/test",
    "POST /api/disks/{name}/read",
    "POST /api/objects/access-keys/{key}/test",
    "POST /api/objects/check",
    "POST /api/release-notes/sync",
  ],
  "goes once, to a place that people chose": [
    "POST /api/alerting/channels/{id}/test",
    "POST /api/backup/targets/{id}/test",
    "POST /api/backups",
    "POST /api/log-forwarders/{id}/test",
    "POST /api/webhooks/{id}/deliveries/{did}/retry",
    "POST /api/webhooks/{id}/replay",
    "POST /api/webhooks/{id}/test",
  ],
  "says what goes to places that people chose, and in which words": [
    "POST /api/alerting/rules",
    "PUT /api/alerting/rules/{id}",
    "PUT /api/alerting/templates",
    "PUT /api/webhooks/{id}",
    "POST /api/webhooks/{id}/rotate-secret",
  ],
  "holds back what would be said": [
    "POST /api/alerting/events/{id}/acknowledge",
    "POST /api/alerting/events/{id}/silence",
    "POST /api/alerting/maintenance",
    "PUT /api/alerting/maintenance/{id}",
  ],
  "runs or ends what people made, as they made it": [
    "POST /api/apps/{id}/restart",
    "POST /api/apps/{id}/retry",
    "POST /api/apps/{id}/rollback",
    "POST /api/apps/{id}/start",
    "POST /api/apps/{id}/stop",
    "POST /api/containers/compose/{name}/restart",
    "POST /api/containers/compose/{name}/start",
    "POST /api/containers/compose/{name}/stop",
    "POST /api/containers/{id}/restart",
    "POST /api/containers/{id}/start",
    "POST /api/containers/{id}/stop",
    "POST /api/objects/migration/give-up",
    "POST /api/objects/migration/retry",
  ],
  "installs programs of a fixed list, set up so that they open nothing of this server": [
    "POST /api/components/apply",
    "POST /api/components/objstore/purge-minio",
  ],
  "is content, which is where people put it and seen by whom they let see it": [
    "PATCH /api/drive/nodes/{id}",
    "PATCH /api/drive/upload/{upload_id}",
    "POST /api/drive/folders",
    "POST /api/drive/nodes/{id}/copy",
    "POST /api/drive/nodes/{id}/versions/{version_id}/restore",
    "POST /api/drive/trash/{id}/restore",
    "POST /api/drive/upload",
    "POST /api/drive/upload/init",
    "POST /api/drive/upload/{upload_id}/finish",
    "POST /api/objects/buckets/{name}/uploads",
    "POST /api/objects/buckets/{name}/uploads/{upload_id}/finish",
    "PUT /api/drive/upload/{upload_id}",
    "PUT /api/objects/buckets/{name}/uploads/{upload_id}",
  ],
  "is a figure, a picture, or how pages look and what was read": [
    "POST /api/inbox/read",
    "POST /api/inbox/{id}/read",
    "PUT /api/cost/settings",
    "PUT /api/profile/avatar",
    "PUT /api/profile/dashboard",
    "PUT /api/profile/last-seen-release",
    "PUT /api/profile/preferences",
  ],
  "is about ways in, and `keys.test.ts` says why it makes none": [
    "PATCH /api/auth/passkeys/{id}",
    "POST /api/auth/lock",
    "POST /api/auth/unlock",
    "POST /api/cp/heartbeat",
  ],
};

const node = createTestNode();
afterAll(() => node.close());

test("no route lets a key send something elsewhere or open something for good, without a reason", () => {
  const taken = new Set(["GET", "HEAD", "DELETE"]);
  const free = node.routes.filter(
    ({ method, rule }) => !taken.has(method) && rule.kind === "session" && rule.keys === undefined,
  );
  const found = free.map(({ method, path }) => `${method} ${path}`);
  expect(found.toSorted()).toEqual(Object.values(STAYS_BELOW).flat().toSorted());
});
