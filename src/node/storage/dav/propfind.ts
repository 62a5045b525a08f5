import type { Take } from "../../../kernel/http/body-budget.ts";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { pulledBody } from "../../../kernel/http/pulled-body.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { giveWay } from "../../../lib/fair-turns.ts";
import type { Places } from "../../../lib/places.ts";
import { namesOf } from "./addresses.ts";
import { fail } from "./contract.ts";
import { listLocksOn } from "./lock-store.ts";
import { describeLocks, locksAt } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { asksForSpace, type Described, describe, type Wish, type World, wishOf } from "./properties.ts";
import { listProperties } from "./property-store.ts";
import { readXmlBody } from "./read-body.ts";
import { isFolder, keyOf, type Place, resolveThere } from "./resolve.ts";

const encoder = new TextEncoder();
/** Letters after which a piece of an answer leaves: that of a page whose files keep little. */
const PIECE_LENGTH = 256 * 1024;
/** Up to that an answer leaves whole, which is the rule and costs less than a stream of it. */
const WHOLE_BYTES = 512 * 1024;
/** Longer answers that may be on their way at a time, to one account and in all. */
const LONG_EACH = 8;
const LONG_ALL = 64;
export const XML_TYPE = { "content-type": "application/xml; charset=utf-8" };

/** How deep a listing goes. Without a header it is all there is below, which is refused for folders. Throws `dav_infinite_depth`. */
function depthOf(headers: Headers, place: Place): 0 | 1 {
  const depth = headers.get("depth")?.trim().toLowerCase() ?? "infinity";
  if (!["0", "1", "infinity"].includes(depth))
    throw kernelFail("invalid_request", { field: "depth", reason: "must be 0, 1 or infinity" });
  if (depth === "0" || !isFolder(place)) return 0;
  if (depth === "infinity") throw fail("dav_infinite_depth", { condition: "propfind-finite-depth" });
  return 1;
}

function describeOne(needs: Needs, userId: string, place: Place): Described {
  return {
    place,
    kept: listProperties(needs.db, userId, [keyOf(place)]),
    locks: locksAt(needs, userId, place),
    told: "",
  };
}

/** Between the parts of a listing, which counts as more of what its account asks for. */
const othersFirst = ({ takeTurn }: Needs, userId: string): Promise<void> => giveWay(takeTurn, [userId, ""]);

/**
 * What lies in a folder, a page at a time; others are answered in between. Of the locks that hold for all of it one is told with each:
 * the folder itself tells all of them, and so does each file that is asked for alone.
 */
async function* pagesOf(needs: Needs, userId: string, folder: Place): AsyncGenerator<Described[]> {
  const key = keyOf(folder);
  const above = [...folder.above, key];
  for (let after: string | undefined, more = true; more; ) {
    const { nodes, next } = needs.drive.list(userId, key, after);
    const ids = nodes.map(({ id }) => id);
    const kept = Map.groupBy(listProperties(needs.db, userId, ids), ({ node_id }) => node_id);
    const deep = listLocksOn(needs.db, { userId, now: needs.clock.now() }, above).find(({ is_deep }) => is_deep === 1);
    const told = deep === undefined ? "" : describeLocks(needs, [deep]);
    const own = Map.groupBy(listLocksOn(needs.db, { userId, now: needs.clock.now() }, ids), ({ node_id }) => node_id);
    yield nodes.map((node) => ({
      place: { names: [...folder.names, node.name], above, node },
      kept: kept.get(node.id) ?? [],
      locks: own.get(node.id) ?? [],
      told,
    }));
    after = next ?? undefined;
    more = next !== null;
    if (more) await othersFirst(needs, userId);
  }
}

/** The answer in pieces, so that a folder of very many files costs no memory. */
async function* piecesOf(world: World, userId: string, place: Place, depth: 0 | 1, wish: Wish) {
  const { needs } = world;
  const begin = '<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus xmlns:D="DAV:">';
  yield encoder.encode(begin + describe(describeOne(needs, userId, place), world, wish));
  if (depth === 1)
    for await (const page of pagesOf(needs, userId, place)) {
      let piece = "";
      for (const described of page) {
        piece += `${describe(described, world, wish)}\n`;
        if (piece.length >= PIECE_LENGTH) {
          yield encoder.encode(piece);
          piece = "";
          await othersFirst(needs, userId);
        }
      }
      if (piece !== "") yield encoder.encode(piece);
    }
  yield encoder.encode("</D:multistatus>\n");
}

/**
 * Tells what files and folders are; `places` are those of long answers. Throws `dav_not_found`, `dav_infinite_depth`, `dav_xml_invalid`,
 * and `too_many_requests` where the answer is long and too many such are on their way.
 */
export async function answerPropfind(needs: Needs, places: Places, asked: Asked, take: Take): Promise<Response> {
  const userId = asked.by.user_id;
  const there = resolveThere(needs, userId, namesOf(asked.path));
  const depth = depthOf(asked.headers, there);
  const wish = wishOf(await readXmlBody(asked.body, take));
  const space = asksForSpace(wish) ? await needs.host.ownSpace(needs.config.data_dir) : null;
  const pieces = piecesOf({ needs, space }, userId, there, depth, wish);
  const held: Uint8Array[] = [];
  for (let length = 0; length < WHOLE_BYTES; ) {
    const { value, done } = await pieces.next();
    if (done === true) return new Response(Buffer.concat(held), { status: 207, headers: XML_TYPE });
    held.push(value);
    length += value.length;
  }
  const place = places.take([
    { key: userId, most: LONG_EACH },
    { key: "all", most: LONG_ALL },
  ]);
  if (place.full !== null) throw tooManyRequests(1);
  const all = async function* () {
    yield* held;
    yield* pieces;
  };
  return new Response(pulledBody(asked.request, all(), place.give), { status: 207, headers: XML_TYPE });
}
