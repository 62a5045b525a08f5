import { requireStillAllowed } from "../../../kernel/http/access.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { makeFolder, removeFile, renameFile } from "./change-files.ts";
import { appFileRoutes } from "./contract.ts";
import { downloadFile } from "./download.ts";
import { listFiles } from "./list-files.ts";
import type { Own } from "./needs.ts";
import { findPlace } from "./place.ts";
import { beginUpload, cancelUpload, takePart } from "./upload.ts";

interface From {
  actor: Actor;
  ip: string;
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
}

/** Who asks, and may have to wait: what is slow is the disk, and how much there is. */
function patient({ request, server, actor, ip }: From): Asker {
  server?.timeout(request, 0);
  return { user_id: actor.user_id, ip };
}

const placeOf = (own: Own, id: string, { volume = "", path = "" }: { volume?: string; path?: string }) =>
  findPlace(own, id, volume, path);

/** What answers the routes of the files of apps. */
export const bindAppFileRoutes = (own: Own): BoundRoutes =>
  bindRoutes(appFileRoutes, {
    "GET /api/apps/{id}/files": ({ params, query, ...from }) => {
      patient(from);
      return listFiles(own, placeOf(own, params.id, query));
    },
    "GET /api/apps/{id}/files/content": ({ params, query, ...from }) =>
      downloadFile(own, patient(from), from.request, placeOf(own, params.id, query)),
    "POST /api/apps/{id}/files/folders": async ({ params, body: { volume, path, name }, ...from }) => {
      await makeFolder(own, patient(from), findPlace(own, params.id, volume, path), name);
      return { message: `The folder ${name} is made.` };
    },
    "POST /api/apps/{id}/files/rename": async ({ params, body, ...from }) => {
      await renameFile(own, patient(from), findPlace(own, params.id, body.volume, body.path), body.name);
      return { message: `It is called ${body.name} now.` };
    },
    "POST /api/apps/{id}/files/uploads": ({ params, body, ...from }) =>
      beginUpload(own, patient(from), findPlace(own, params.id, body.volume, body.path), body),
    "PUT /api/apps/{id}/files/uploads/{upload_id}": ({ params, query, ...from }) =>
      takePart(
        own,
        patient(from),
        { app: params.id, upload: params.upload_id },
        { offset: query.offset ?? 0, body: from.request.body, check: () => requireStillAllowed(from.request) },
      ),
    async "DELETE /api/apps/{id}/files/uploads/{upload_id}"({ params, ...from }) {
      await cancelUpload(own, patient(from), params.id, params.upload_id);
      return { message: "The upload is given up." };
    },
    "DELETE /api/apps/{id}/files": async ({ params, query, ...from }) => ({
      message: `${await removeFile(own, patient(from), placeOf(own, params.id, query))} is removed.`,
    }),
  });
