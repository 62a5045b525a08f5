import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import { counting } from "../../../kernel/http/bounded-body.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { dropOffRoutes, PIECE_BYTES } from "./contract.ts";
import { dropHalves, MOST_AT_ONCE, MOST_OF_ONE, readFile, removeFile, takePiece } from "./files.ts";
import { holdKey, openByKey } from "./keys.ts";
import { listFiles } from "./list-files.ts";
import { addDropOff, changeDropOff, listDropOffs, removeDropOff, renewKey } from "./manage.ts";
import type { Own } from "./needs.ts";

/** A piece that nothing comes of for so long is given up. */
const PIECE_IDLE_S = 60;
/** Far above what can come: what is on its way here goes to the disk at once. */
const ALL_BYTES = 16 * MOST_AT_ONCE * PIECE_BYTES;

const askerOf = ({ actor, ip }: { actor: Actor; ip: string }): Asker => ({ user_id: actor.user_id, ip });

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** What answers the routes of places for other servers' backups. */
export function bindDropOffRoutes(own: Own): BoundRoutes {
  const readWithin = createBodyIntake(own.clock, { each: (MOST_OF_ONE + 2) * PIECE_BYTES, all: ALL_BYTES });
  return bindRoutes(dropOffRoutes, {
    "GET /api/backup/drop-offs": () => listDropOffs(own),
    "POST /api/backup/drop-offs": ({ body, ...from }) => addDropOff(own, askerOf(from), body),
    "PUT /api/backup/drop-offs/{id}": ({ params, body, ...from }) => changeDropOff(own, askerOf(from), params.id, body),
    "POST /api/backup/drop-offs/{id}/key": ({ params, ...from }) => renewKey(own, askerOf(from), params.id),
    "DELETE /api/backup/drop-offs/{id}": async ({ params, query, ...from }) => {
      const message = await removeDropOff(own, askerOf(from), params.id, query.delete_data);
      await dropHalves(own, params.id, { files: 0, bytes: 0 });
      return { message };
    },
    "GET /api/drop-off/files": ({ query, ...from }) => listFiles(own, from.request, openByKey(own, from), query.folder),
    "GET /api/drop-off/file": ({ query, ...from }) => readFile(own, from.request, openByKey(own, from), query),
    "PUT /api/drop-off/file": ({ query, server, ...from }) => {
      const row = openByKey(own, from);
      server?.timeout(from.request, PIECE_IDLE_S);
      const again = holdKey(own, from.request);
      return readWithin(row.id, (take) =>
        takePiece(own, row, query, counting(from.request.body ?? nothing(), take), again),
      );
    },
    "DELETE /api/drop-off/file": async ({ query, set, ...from }) => {
      await removeFile(own, openByKey(own, from), query.name, holdKey(own, from.request));
      set.status = 204;
    },
  });
}
