import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { migrationRoutes } from "./contract.ts";
import type { Control } from "./control.ts";
import type { By } from "./needs.ts";
import { purgeLegacy } from "./purge.ts";
import { reportOf } from "./report.ts";
import type { RunWork } from "./run.ts";

const byOf = ({ actor, ip }: { actor: Actor; ip: string }): By => ({ user_id: actor.user_id, ip });

/** What answers the routes of objects that are brought over. */
export const bindMigrationRoutes = (work: RunWork, control: Control): BoundRoutes =>
  bindRoutes(migrationRoutes, {
    "GET /api/objects/migration": () => reportOf(work),
    "POST /api/objects/migration/retry": async ({ body, ...from }) => {
      await control.retry(byOf(from), body.leave_out ?? false);
      return reportOf(work);
    },
    "POST /api/objects/migration/give-up": async (from) => {
      await control.giveUp(byOf(from));
      return reportOf(work);
    },
    "POST /api/components/objstore/purge-minio": ({ request, server, ...from }) => {
      // A large folder takes the time that it takes.
      server?.timeout(request, 0);
      return purgeLegacy(work, byOf(from));
    },
  });
