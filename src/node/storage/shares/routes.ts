import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import { counting } from "../../../kernel/http/bounded-body.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { networksAround } from "../../../kernel/http/peer.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { CHUNK_BYTES, FILE_BODY_BYTES, readFile } from "../drive/index.ts";
import { beginShared, finishShared, takeShared } from "./add-large.ts";
import { shareRoutes } from "./contract.ts";
import { type By, endShare, listShares, makeShare } from "./manage.ts";
import type { Own } from "./needs.ts";
import {
  downloadShared,
  enter,
  enterPassword,
  listShared,
  openShare,
  placeFor,
  putShared,
  type Visitor,
} from "./visit.ts";

/**
 * Files of one network that may be on their way at a time, and what those of all strangers may hold: enough for a whole file beside one that
 * is as large.
 */
const UPLOADS = 2;
const UPLOADS_BYTES = 8 * FILE_BODY_BYTES;

/** Chunks of one network that may be on their way at a time, and those of all strangers. */
const CHUNKS = 4;
const CHUNKS_OF_ALL = 32;
/** Seconds after which a chunk is given up of which nothing comes. */
const CHUNK_IDLE_S = 60;

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

/**
 * For whom a body of a visitor counts: whoever made the link, and in that the visitor's network. Networks are cheap to come by, so all who
 * send by the links of one account make room together for those of another, and those of one site for others with the same link.
 */
const sendersOf = (own: Own, visitor: Visitor): readonly string[] => [
  `account ${enter(own, visitor).row.user_id}`,
  ...networksAround(visitor.ip),
];

/** What answers the routes of links. */
export function bindShareRoutes(own: Own): BoundRoutes {
  const readWithin = createBodyIntake(own.clock, { each: UPLOADS * FILE_BODY_BYTES, all: UPLOADS_BYTES });
  const chunksWithin = createBodyIntake(own.clock, { each: CHUNKS * CHUNK_BYTES, all: CHUNKS_OF_ALL * CHUNK_BYTES });
  return bindRoutes(shareRoutes, {
    "POST /api/drive/nodes/{id}/share": ({ params, body, request, ...from }) =>
      makeShare(own, byOf(from), params.id, body, request.signal),
    "GET /api/drive/shares": ({ actor, query }) => listShares(own, actor.user_id, query.node_id ?? null),
    "DELETE /api/drive/shares/{id}": ({ params, set, ...from }) => {
      endShare(own, byOf(from), params.id);
      set.status = 204;
    },
    "GET /api/shares/{token}": (from) => openShare(own, visitorOf(from)),
    "POST /api/shares/{token}/pass": async ({ ip, params, body, request }) => ({
      pass: await enterPassword(own, { ip, token: params.token }, body.password, request.signal),
    }),
    "GET /api/shares/{token}/tree": (from) => listShared(own, visitorOf(from), from.query.folder_id, from.query.after),
    "GET /api/shares/{token}/download": ({ request, ...from }) =>
      downloadShared(own, visitorOf(from), from.query.node_id, request),
    "POST /api/shares/{token}/upload": async ({ request, ...from }) => {
      const visitor = visitorOf(from);
      const folderId = from.query.folder_id;
      // Who may not is told before the file is read.
      placeFor(own, visitor, folderId);
      const putIn = own.gates.upload(enter(own, visitor).row, visitor.ip);
      const file = await readWithin(sendersOf(own, visitor), (take) => readFile(request, take));
      return await putIn(() => putShared(own, visitor, folderId, file));
    },
    "POST /api/shares/{token}/uploads": ({ body, set, ...from }) => {
      set.status = 201;
      return beginShared(own, visitorOf(from), body);
    },
    "PUT /api/shares/{token}/uploads/{upload_id}": ({ params, query, request, server, ...from }) => {
      // It takes the time it takes, as long as something comes.
      server?.timeout(request, CHUNK_IDLE_S);
      const visitor = visitorOf({ ...from, params, query });
      return chunksWithin(sendersOf(own, visitor), (take) =>
        takeShared(own, visitor, params.upload_id, query, counting(request.body ?? [], take)),
      );
    },
    "POST /api/shares/{token}/uploads/{upload_id}/finish": ({ params, request, server, ...from }) => {
      // What came out of order is read once more.
      server?.timeout(request, 0);
      return finishShared(own, visitorOf({ ...from, params }), params.upload_id);
    },
  });
}
