import { kernelFail } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { beginJob, previewJob } from "./begin.ts";
import { cancelJob } from "./cancel.ts";
import { bulkRoutes } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { getJob, listAll, streamDetail } from "./present.ts";
import { itemWriter } from "./store.ts";

const KEY = /^[\x21-\x7e]{1,200}$/;

/** What the caller calls this very job, so that asking again does not do it again. Throws `invalid_request`. */
function keyOf(request: Request): string | null {
  const key = request.headers.get("idempotency-key");
  if (key === null || KEY.test(key)) return key;
  throw kernelFail("invalid_request", {
    field: "Idempotency-Key",
    reason: "must be 1 to 200 visible characters, without spaces",
  });
}

/** What answers the routes of bulk jobs. */
export function bindBulkRoutes(needs: Needs): BoundRoutes {
  const own = { ...needs, writer: itemWriter(needs.system.engine) };
  return bindRoutes(bulkRoutes, {
    "POST /api/fleet/bulk": async ({ actor, ip, body, request, set }) => {
      const job = await getJob(own, actor, await beginJob(own, actor, ip, body, keyOf(request)));
      set.status = 202;
      return job;
    },
    "POST /api/fleet/bulk/preview": ({ actor, body }) => previewJob(own, actor, body),
    "GET /api/fleet/bulk-jobs": ({ actor, query }) => listAll(own, actor, query),
    "GET /api/fleet/bulk-jobs/{id}": ({ actor, params }) => streamDetail(own, actor, params.id),
    "POST /api/fleet/bulk-jobs/{id}/cancel": async ({ actor, ip, params }) => {
      await cancelJob(own, actor, ip, params.id);
      return getJob(own, actor, params.id);
    },
  });
}
