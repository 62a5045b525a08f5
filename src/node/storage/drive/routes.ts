import { requireStillAllowed } from "../../../kernel/http/access.ts";
import type { Take } from "../../../kernel/http/body-budget.ts";
import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { changeNode, copyNode } from "./arrange.ts";
import {
  beginUpload,
  cancelUpload,
  finishUpload,
  listUploads,
  ownerOf,
  readUpload,
  takeChunk,
} from "./chunked-upload.ts";
import { driveRoutes } from "./contract.ts";
import { type Maker, readSigned, signDownload } from "./download.ts";
import { listFolder, listTrash, makeFolder, type Own, trashNode } from "./logic.ts";
import type { By } from "./needs.ts";
import { purgeNode } from "./purge.ts";
import { FILE_BODY_BYTES, readFile } from "./read-file.ts";
import { restoreNode } from "./restore.ts";
import { searchNodes } from "./search.ts";
import { storeFile, whileComing } from "./store-file.ts";
import { appendByTus, createByTus, isTus, readByTus, TUS_ABILITIES } from "./tus-routes.ts";
import { JOIN_BYTES } from "./tus-upload.ts";
import { listVersions, removeVersion, restoreVersion } from "./versions.ts";
import { answerThumbnail, viewFile } from "./view.ts";

/** Files of one user that may be on their way at a time, and what those of all may hold. */
const UPLOADS = 2;
const UPLOADS_BYTES = 8 * FILE_BODY_BYTES;

/** Seconds after which a chunk is given up of which nothing comes. */
const CHUNK_IDLE_S = 60;

async function* nothing(): AsyncGenerator<Uint8Array> {}

const byOf = ({ actor, ip }: { actor: Actor; ip: string }): By => ({ user_id: actor.user_id, ip });

const makerOf = ({ actor, ip }: { actor: Actor; ip: string }): Maker => ({
  ...byOf({ actor, ip }),
  with: { session_id: actor.session_id, key_id: actor.key?.id ?? null, device_id: actor.device_id },
});

/** What answers the routes of the Drive. */
export function bindDriveRoutes(own: Own): BoundRoutes {
  const readWithin = createBodyIntake(own.clock, {
    each: UPLOADS * (FILE_BODY_BYTES + JOIN_BYTES),
    all: UPLOADS_BYTES,
  });
  return bindRoutes(driveRoutes, {
    "GET /api/drive/tree": ({ actor, query }) => listFolder(own, actor.user_id, query.folder_id ?? null, query.after),
    "POST /api/drive/folders": ({ body, set, ...from }) => {
      set.status = 201;
      return makeFolder(own, byOf(from), body);
    },
    "OPTIONS /api/drive/upload": () => new Response(null, { status: 204, headers: TUS_ABILITIES }),
    "POST /api/drive/upload": async ({ query, request, ...from }) => {
      if (isTus(request.headers)) return await createByTus(own, byOf(from), request.headers, query);
      const file = await readWithin(from.actor.user_id, (take) => readFile(request, take));
      await requireStillAllowed(request);
      const place = { parentId: query.folder_id ?? null, name: file.name, mayReplace: query.replace ?? false };
      return await storeFile(own, byOf(from), place, file.bytes);
    },
    "POST /api/drive/upload/init": ({ body, ...from }) => beginUpload(own, ownerOf(from.actor.user_id), body),
    "GET /api/drive/uploads": ({ actor }) => ({ uploads: listUploads(own, actor.user_id) }),
    "GET /api/drive/upload/{upload_id}": ({ params, request, ...from }) =>
      isTus(request.headers)
        ? readByTus(own, byOf(from), params.upload_id)
        : readUpload(own, ownerOf(from.actor.user_id), params.upload_id),
    "PUT /api/drive/upload/{upload_id}": ({ actor, params, query, request, server }) => {
      // It takes the time it takes, as long as something comes.
      server?.timeout(request, CHUNK_IDLE_S);
      return whileComing(own, actor.user_id, () =>
        takeChunk(own, ownerOf(actor.user_id), params.upload_id, query, request.body ?? nothing()),
      );
    },
    "PATCH /api/drive/upload/{upload_id}": ({ params, request, server, ...from }) => {
      server?.timeout(request, CHUNK_IDLE_S);
      const append = (take: Take) => appendByTus(own, byOf(from), params.upload_id, request, take);
      return whileComing(own, from.actor.user_id, () => readWithin(from.actor.user_id, append));
    },
    "POST /api/drive/upload/{upload_id}/finish": ({ params, query, request, server, ...from }) => {
      // What came out of order is read once more.
      server?.timeout(request, 0);
      return finishUpload(own, byOf(from), params.upload_id, query.replace ?? false);
    },
    "DELETE /api/drive/upload/{upload_id}": async ({ actor, params, request, set }) => {
      if (isTus(request.headers)) set.headers["tus-resumable"] = TUS_ABILITIES["tus-resumable"];
      await cancelUpload(own, ownerOf(actor.user_id), params.upload_id);
      set.status = 204;
    },
    "GET /api/drive/raw/{node_id}": ({ params, query, set, ...from }) => {
      set.status = 302;
      set.headers["location"] = signDownload(own, makerOf(from), params.node_id, query.version_id ?? null);
      set.headers["cache-control"] = "no-store";
    },
    "GET /api/drive/content/{signed}": ({ params, request, ip }) => readSigned(own, params.signed, request, ip),
    "GET /api/drive/nodes/{id}/view": ({ params, ...from }) => viewFile(own, makerOf(from), params.id),
    "GET /api/drive/nodes/{id}/thumbnail": ({ actor, params, query, request }) =>
      answerThumbnail(own, { userId: actor.user_id, left: request.signal }, params.id, query.sha256),
    "PATCH /api/drive/nodes/{id}": ({ params, body, ...from }) => changeNode(own, byOf(from), params.id, body),
    "POST /api/drive/nodes/{id}/copy": ({ params, body, set, ...from }) => {
      set.status = 201;
      return copyNode(own, byOf(from), params.id, body);
    },
    "GET /api/drive/search": ({ actor, query }) => searchNodes(own, actor.user_id, query),
    "GET /api/drive/nodes/{id}/versions": ({ actor, params }) => listVersions(own, actor.user_id, params.id),
    "POST /api/drive/nodes/{id}/versions/{version_id}/restore": ({ params, ...from }) =>
      restoreVersion(own, byOf(from), params.id, params.version_id),
    "DELETE /api/drive/nodes/{id}/versions/{version_id}": ({ params, set, ...from }) => {
      removeVersion(own, byOf(from), params.id, params.version_id);
      set.status = 204;
    },
    "DELETE /api/drive/nodes/{id}": ({ params, set, ...from }) => {
      trashNode(own, byOf(from), params.id);
      set.status = 204;
    },
    "GET /api/drive/trash": ({ actor, query }) => listTrash(own, actor.user_id, query.after),
    "POST /api/drive/trash/{id}/restore": ({ params, ...from }) => restoreNode(own, byOf(from), params.id),
    "DELETE /api/drive/trash/{id}": ({ params, set, ...from }) => {
      purgeNode(own, byOf(from), params.id);
      set.status = 204;
    },
  });
}
