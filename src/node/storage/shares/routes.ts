import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { networkOf } from "../../../kernel/http/peer.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { FILE_BODY_BYTES, readFile } from "../drive/index.ts";
import { shareRoutes } from "./contract.ts";
import { type By, endShare, listShares, makeShare } from "./manage.ts";
import type { Own } from "./needs.ts";
import { downloadShared, enterPassword, listShared, openShare, placeFor, putShared, type Visitor } from "./visit.ts";

/** Files of one network that may be on their way at a time, and what those of all strangers may hold. */
const UPLOADS = 2;
const UPLOADS_BYTES = 4 * FILE_BODY_BYTES;

const byOf = ({ actor, ip }: { actor: Actor; ip: string }): By => ({ user_id: actor.user_id, ip });

const visitorOf = ({
  ip,
  params,
  query,
}: {
  ip: string;
  params: { token: string };
  query: { pass?: string };
}): Visitor => ({ ip, token: params.token, pass: query.pass });

/** What answers the routes of links. */
export function bindShareRoutes(own: Own): BoundRoutes {
  const readWithin = createBodyIntake(own.clock, { each: UPLOADS * FILE_BODY_BYTES, all: UPLOADS_BYTES });
  return bindRoutes(shareRoutes, {
    "POST /api/drive/nodes/{id}/share": ({ params, body, set, ...from }) => {
      set.status = 201;
      return makeShare(own, byOf(from), params.id, body);
    },
    "GET /api/drive/shares": ({ actor, query }) => listShares(own, actor.user_id, query.node_id ?? null),
    "DELETE /api/drive/shares/{id}": ({ params, set, ...from }) => {
      endShare(own, byOf(from), params.id);
      set.status = 204;
    },
    "GET /api/shares/{token}": (from) => openShare(own, visitorOf(from)),
    "POST /api/shares/{token}/pass": async ({ ip, params, body }) => ({
      pass: await enterPassword(own, { ip, token: params.token }, body.password),
    }),
    "GET /api/shares/{token}/tree": (from) => listShared(own, visitorOf(from), from.query.folder_id, from.query.after),
    "GET /api/shares/{token}/download": ({ request, ...from }) =>
      downloadShared(own, visitorOf(from), from.query.node_id, request.method !== "HEAD"),
    "POST /api/shares/{token}/upload": async ({ request, ...from }) => {
      const visitor = visitorOf(from);
      const folderId = from.query.folder_id;
      // Who may not is told before the file is read.
      placeFor(own, visitor, folderId);
      own.gates.upload(visitor.token, visitor.ip);
      const file = await readWithin(networkOf(visitor.ip), (take) => readFile(request, take));
      return await putShared(own, visitor, folderId, file);
    },
  });
}
