import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import type { Asker } from "../../platform/operations/index.ts";
import { bindRoutes } from "../../route.ts";
import { compareBackups, listFolder } from "./browse.ts";
import { backupRoutes } from "./contract.ts";
import { downloadFromBackup } from "./download.ts";
import { listVolumes, openBackup } from "./file-index.ts";
import type { Own } from "./needs.ts";
import { addPlan, changePlan, readSchedule, removePlan } from "./plans.ts";
import { choosePolicy, listAppPolicies } from "./policies.ts";
import { beginPutBack } from "./put-back.ts";
import { beginReadAll, stopReadAll } from "./read-all.ts";
import { beginDrill, beginRestore } from "./restore.ts";
import { beginObjectsRestore, listObjects, listOwnDrive } from "./restore-objects.ts";
import { planRestore } from "./restore-plan.ts";
import { beginBackup, cancelBackup, listBackups } from "./run-backup.ts";
import { searchFiles } from "./search.ts";
import { beginStartTest, listTestedApps } from "./start-test.ts";
import { addTarget, limitTarget, listTargets, removeTarget, showKit, testTarget } from "./targets.ts";

const askerOf = ({ actor, ip }: { actor: Actor; ip: string }): Asker => ({ user_id: actor.user_id, ip });

/** What answers the routes of backups. */
export function bindBackupRoutes(own: Own): BoundRoutes {
  return bindRoutes(backupRoutes, {
    "GET /api/backups": () => listBackups(own),
    "POST /api/backups": ({ body, ...from }) => beginBackup(own, askerOf(from), body),
    "POST /api/backups/{id}/cancel": ({ params, ...from }) => ({
      message: cancelBackup(own, askerOf(from), params.id),
    }),
    "POST /api/backups/{id}/restore": ({ params, body, ...from }) => beginRestore(own, askerOf(from), params.id, body),
    "POST /api/backups/{id}/restore/plan": ({ params, body }) => planRestore(own, params.id, body),
    "GET /api/backups/{id}/objects": ({ params }) => listObjects(own, params.id),
    "GET /api/backups/{id}/drive": ({ params, query, actor }) => listOwnDrive(own, actor.user_id, params.id, query),
    "POST /api/backups/{id}/objects/restore": ({ params, body, ...from }) =>
      beginObjectsRestore(own, askerOf(from), params.id, body),
    "POST /api/backups/{id}/verify": ({ params, ...from }) => beginDrill(own, askerOf(from), params.id),
    "POST /api/backups/{id}/browse": ({ params, ...from }) => openBackup(own, askerOf(from), params.id),
    "GET /api/backups/{id}/volumes": ({ params }) => listVolumes(own, params.id),
    "GET /api/backups/{id}/files": ({ params, query }) => listFolder(own, params.id, query),
    "GET /api/backups/{id}/changes": ({ params, query }) => compareBackups(own, params.id, query),
    "GET /api/backups/{id}/download": ({ params, query, request, ...from }) =>
      downloadFromBackup(own, askerOf(from), request, params.id, query),
    "POST /api/backups/{id}/put-back": ({ params, body, ...from }) => beginPutBack(own, askerOf(from), params.id, body),
    "GET /api/backup/search": ({ query }) => searchFiles(own, query.q),
    "POST /api/backup/search/read": (from) => beginReadAll(own, askerOf(from)),
    "POST /api/backup/search/stop": () => {
      stopReadAll(own);
      return { message: "It is read no further. What was read stays known." };
    },
    "GET /api/backup/targets": () => listTargets(own),
    "POST /api/backup/targets": ({ body, ...from }) => addTarget(own, askerOf(from), body),
    "POST /api/backup/targets/{id}/test": ({ params }) => testTarget(own, params.id),
    "GET /api/backup/targets/{id}/kit": ({ params, ...from }) => showKit(own, askerOf(from), params.id),
    "PUT /api/backup/targets/{id}/limit": ({ params, body, ...from }) =>
      limitTarget(own, askerOf(from), params.id, body),
    "DELETE /api/backup/targets/{id}": async ({ params, ...from }) => ({
      message: `${await removeTarget(own, askerOf(from), params.id)} is no target any more. The backups in it stay there.`,
    }),
    "GET /api/backup/policies": () => listAppPolicies(own),
    "PUT /api/backup/policies/{id}": ({ params, body, ...from }) => choosePolicy(own, askerOf(from), params.id, body),
    "GET /api/backup/start-tests": () => listTestedApps(own),
    "POST /api/backup/start-tests/{id}": ({ params, ...from }) => beginStartTest(own, askerOf(from), params.id),
    "GET /api/backup/schedule": () => readSchedule(own),
    "POST /api/backup/plans": ({ body, ...from }) => addPlan(own, askerOf(from), body),
    "PUT /api/backup/plans/{id}": ({ params, body, ...from }) => changePlan(own, askerOf(from), params.id, body),
    "DELETE /api/backup/plans/{id}": ({ params, ...from }) => ({
      message: `${removePlan(own, askerOf(from), params.id)} is no plan any more. Its backups stay.`,
    }),
  });
}
