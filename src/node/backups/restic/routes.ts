import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { listFolder, listSnapshots } from "./browse.ts";
import { resticRoutes } from "./contract.ts";
import { download } from "./download.ts";
import type { Own } from "./needs.ts";
import { beginRead } from "./read.ts";
import { attach, detach, listRepositories } from "./repositories.ts";

const askerOf = ({ actor, ip }: { actor: Actor; ip: string }): Asker => ({ user_id: actor.user_id, ip });

/** What answers the routes of restic repositories. */
export function bindResticRoutes(own: Own): BoundRoutes {
  return bindRoutes(resticRoutes, {
    "GET /api/backup/restic": () => listRepositories(own),
    "POST /api/backup/restic": ({ body, ...from }) => attach(own, askerOf(from), body),
    "DELETE /api/backup/restic/{id}": ({ params, ...from }) => ({
      message: `${detach(own, askerOf(from), params.id)} is detached. The repository stays as it is.`,
    }),
    "POST /api/backup/restic/{id}/read": ({ params, ...from }) => beginRead(own, askerOf(from), params.id),
    "GET /api/backup/restic/{id}/snapshots": ({ params, query }) => listSnapshots(own, params.id, query),
    "GET /api/backup/restic/{id}/snapshots/{snapshot}/files": ({ params, query }) => listFolder(own, params, query),
    "GET /api/backup/restic/{id}/snapshots/{snapshot}/download": ({ params, query, ...from }) =>
      download(own, askerOf(from), from.request, params, query.path),
  });
}
