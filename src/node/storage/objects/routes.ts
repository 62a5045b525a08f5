import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { getSettings, makeBucket, putSettings, removeBucket } from "./buckets.ts";
import { objectRoutes } from "./contract.ts";
import { presentEncryption, switchEncryption } from "./encryption.ts";
import { makeKey, removeKey } from "./keys.ts";
import {
  beginUpload,
  browseObjects,
  cancelUpload,
  downloadObject,
  finishUpload,
  removeObject,
  takePart,
} from "./objects.ts";
import type { By, Own } from "./own.ts";

interface From {
  actor: Actor;
  ip: string;
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
}

const byOf = ({ actor, ip }: Pick<From, "actor" | "ip">): By => ({ user_id: actor.user_id, ip });

const askerOf = (from: Pick<From, "actor" | "ip">) => ({ ...byOf(from), isKey: from.actor.key !== null });

/** Who sends or fetches much may take the time it takes. */
function patient({ request, server, ...from }: From): By {
  server?.timeout(request, 0);
  return byOf(from);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What answers the routes of buckets and access keys. */
export const bindObjectRoutes = (own: Own): BoundRoutes =>
  bindRoutes(objectRoutes, {
    "GET /api/objects/buckets": async () => ({ buckets: await (await own.driver()).listBuckets() }),
    "POST /api/objects/buckets": async ({ body, set, ...from }) => {
      const bucket = await makeBucket(own, askerOf(from), body);
      set.status = 201;
      return bucket;
    },
    "DELETE /api/objects/buckets/{name}": async ({ params, set, ...from }) => {
      await removeBucket(own, byOf(from), params.name);
      set.status = 204;
    },
    "GET /api/objects/buckets/{name}/settings": ({ params }) => getSettings(own, params.name),
    "PUT /api/objects/buckets/{name}/settings": ({ params, body, ...from }) =>
      putSettings(own, askerOf(from), params.name, body),
    "GET /api/objects/buckets/{name}/objects": ({ params, query }) =>
      browseObjects(own, params.name, query.prefix ?? "", query.after ?? ""),
    "GET /api/objects/buckets/{name}/content": ({ params, query, ...from }) =>
      downloadObject(own, patient(from), from.request, params.name, query.key ?? ""),
    "POST /api/objects/buckets/{name}/uploads": async ({ params, body, set }) => {
      set.status = 201;
      return await beginUpload(own, params.name, body);
    },
    "PUT /api/objects/buckets/{name}/uploads/{upload_id}": ({ params, query, ...from }) => {
      patient(from);
      return takePart(own, params, query.number, from.request.body ?? nothing());
    },
    "POST /api/objects/buckets/{name}/uploads/{upload_id}/finish": ({ params, body, ...from }) =>
      finishUpload(own, patient(from), params, body),
    "DELETE /api/objects/buckets/{name}/uploads/{upload_id}": async ({ params, set }) => {
      await cancelUpload(own, params);
      set.status = 204;
    },
    "DELETE /api/objects/buckets/{name}/content": async ({ params, query, set, ...from }) => {
      await removeObject(own, byOf(from), params.name, query.key ?? "");
      set.status = 204;
    },
    "GET /api/objects/access-keys": async () => ({ access_keys: await (await own.driver()).listKeys() }),
    "POST /api/objects/access-keys": async ({ body, set, ...from }) => {
      const key = await makeKey(own, byOf(from), body);
      set.status = 201;
      return key;
    },
    "DELETE /api/objects/access-keys/{key}": async ({ params, set, ...from }) => {
      await removeKey(own, byOf(from), params.key);
      set.status = 204;
    },
    "POST /api/objects/access-keys/{key}/test": async ({ params }) => (await own.driver()).testKey(params.key),
    "GET /api/objects/encryption": () => presentEncryption(own),
    "PUT /api/objects/encryption": ({ body, ...from }) => switchEncryption(own, byOf(from), body.on),
    "GET /api/objects/check": () => own.check.report(),
    "POST /api/objects/check": ({ set }) => {
      own.check.start();
      set.status = 202;
      return own.check.report();
    },
    "GET /api/objects/endpoint": async () => (await own.driver()).endpoint(),
  });
