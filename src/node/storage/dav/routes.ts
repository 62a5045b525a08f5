import { isStillAllowed } from "../../../kernel/http/access.ts";
import { createBodyIntake } from "../../../kernel/http/body-intake.ts";
import { AppError } from "../../../kernel/http/errors.ts";
import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { pathOf } from "../../../kernel/http/request-head.ts";
import { createPlaces } from "../../../lib/places.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { belowDrive } from "./addresses.ts";
import { answerCopy, answerDelete, answerMkcol, answerMove } from "./arrange.ts";
import { CHANGING, DAV_PATH, type DavMethod, davRoutes, READING } from "./contract.ts";
import { answerGet } from "./get.ts";
import { answerLock, answerUnlock } from "./lock-requests.ts";
import type { Asked, Needs } from "./needs.ts";
import { answerPropfind, XML_TYPE } from "./propfind.ts";
import { answerProppatch } from "./proppatch.ts";
import { answerPut } from "./put.ts";
import { XML_LIMIT_BYTES } from "./read-body.ts";
import { leaf, tag, xmlDocument } from "./xml-write.ts";

/** Seconds after which a file is given up of which nothing comes, or which nobody takes. */
const IDLE_S = 60;
/** XML of one program that may be on its way at a time, and of all. */
const XML_BODIES = 8;
const ALL_XML_BYTES = 64 * XML_LIMIT_BYTES;

const CAPABILITIES = {
  dav: "1, 2, 3",
  // Without it the client of Windows tries another protocol.
  "ms-author-via": "DAV",
  allow: [...READING, "HEAD", ...CHANGING].join(", "),
};

/** Bodies of up to that size are taken as they are: to read one as a stream costs as much as all else that is done with it. */
const WHOLE_BYTES = 64 * 1024;

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* whole(request: Request): AsyncGenerator<Uint8Array> {
  yield await request.bytes();
}

function isSmall({ headers }: Request): boolean {
  const length = headers.get("content-length");
  return length !== null && Number(length) <= WHOLE_BYTES;
}

/** A refusal as programs read it: the condition of the protocol where it has one, and why in words. */
function answerRefusal({ status, code, message, params, headers }: AppError): Response {
  const { condition, hrefs } = params;
  const addresses = Array.isArray(hrefs) ? hrefs.map((href) => leaf("href", String(href))).join("") : "";
  const named = typeof condition === "string" ? tag(condition, addresses) : "";
  const words = `${leaf("exception", code)}${leaf("message", message)}`.replaceAll("D:", "o:");
  const text = xmlDocument("error", `${named}<o:said xmlns:o="urn:orrery:dav">${words}</o:said>`);
  return new Response(text, { status, headers: { ...headers, ...XML_TYPE } });
}

/** What answers WebDAV. */
export function bindDavRoutes(needs: Needs): BoundRoutes {
  const readWithin = createBodyIntake(needs.clock, { each: XML_BODIES * XML_LIMIT_BYTES, all: ALL_XML_BYTES });
  const places = createPlaces();
  const answers: Record<DavMethod, (asked: Asked) => Response | Promise<Response>> = {
    OPTIONS: () => new Response(null, { headers: CAPABILITIES }),
    GET: (asked) => answerGet(needs, asked),
    PROPFIND: (asked) => readWithin(asked.by.user_id, (take) => answerPropfind(needs, places, asked, take)),
    PUT: (asked) => answerPut(needs, asked),
    DELETE: (asked) => answerDelete(needs, asked),
    MKCOL: (asked) => answerMkcol(needs, asked),
    COPY: (asked) => answerCopy(needs, asked),
    MOVE: (asked) => answerMove(needs, asked),
    PROPPATCH: (asked) => readWithin(asked.by.user_id, (take) => answerProppatch(needs, asked, take)),
    LOCK: (asked) => readWithin(asked.by.user_id, (take) => answerLock(needs, asked, take)),
    UNLOCK: (asked) => answerUnlock(needs, asked),
  };
  const handlerOf =
    (method: DavMethod) =>
    async ({ actor, ip, request, server }: From): Promise<Response> => {
      // It takes the time it takes, as long as something comes.
      server?.timeout(request, IDLE_S);
      const isWhole = isSmall(request);
      const before = needs.accessChanges.epoch();
      try {
        return await answers[method]({
          by: { user_id: actor.user_id, ip },
          path: belowDrive(pathOf(request.url)) ?? "",
          headers: request.headers,
          request,
          body: isWhole ? whole(request) : (request.body ?? nothing()),
          // What takes hours is decided anew, whatever has changed; the rest where somebody lost something, as with other bodies.
          isStillAllowed: async () =>
            (isWhole && needs.accessChanges.epoch() === before) || (await isStillAllowed(request)),
        });
      } catch (error) {
        if (error instanceof AppError) return answerRefusal(error);
        // Whoever sent it has gone, and nobody hears this.
        if (request.signal.aborted) return new Response(null, { status: 408 });
        throw error;
      }
    };
  const handlers = [...READING, ...CHANGING].flatMap((method) =>
    [DAV_PATH, `${DAV_PATH}/*`].map((path) => [`${method} ${path}`, handlerOf(method)] as const),
  );
  return bindRoutes(davRoutes, Object.fromEntries(handlers));
}

interface From {
  actor: Actor;
  ip: string;
  request: Request;
  server: { timeout(request: Request, seconds: number): void } | null;
}
