import { kernelFail } from "../../../kernel/http/errors.ts";
import type { DriveNode, LargeCopy } from "../drive/index.ts";
import { hrefOf, namesOf, readAddress } from "./addresses.ts";
import { requireMatch, shownTokens } from "./conditions.ts";
import { fail } from "./contract.ts";
import { deleteLock } from "./lock-store.ts";
import { locksAt, locksBelow, requireUnlocked } from "./locks.ts";
import type { Asked, Needs } from "./needs.ts";
import { propertiesAlong } from "./property-room.ts";
import { copyProperties } from "./property-store.ts";
import { namedPlace } from "./put.ts";
import { refuseBody } from "./read-body.ts";
import { isFolder, isThere, isTop, type Place, resolve, resolveThere } from "./resolve.ts";

const done = (isNew: boolean, headers: Record<string, string> = {}): Response =>
  new Response(null, { status: isNew ? 201 : 204, headers });

/** Makes a folder. Throws `dav_exists`, `dav_no_parent`, `dav_body_unknown`, `dav_locked` and what the Drive refuses a place for. */
export async function answerMkcol(needs: Needs, asked: Asked): Promise<Response> {
  await refuseBody(asked.body);
  return needs.db.tx(() => {
    const place = resolve(needs, asked.by.user_id, namesOf(asked.path));
    if (isThere(place)) throw fail("dav_exists");
    const { parentId, name } = namedPlace(place);
    requireUnlocked(needs, asked.by.user_id, place, shownTokens(needs, asked), { self: true, inParent: true });
    needs.drive.makeFolder(asked.by, parentId, name);
    return done(true);
  });
}

/** Ends the locks on a thing that goes, and on all that lies in it. */
function endLocks(needs: Needs, userId: string, place: Place): void {
  const own = locksAt(needs, userId, place).filter(({ node_id }) => node_id === place.node?.id);
  for (const { token } of [...own, ...locksBelow(needs, userId, place)]) deleteLock(needs.db, token);
}

/** Puts what is there into the trash; its locks end. */
function remove(needs: Needs, { by }: Asked, place: Place, node: DriveNode): void {
  endLocks(needs, by.user_id, place);
  needs.drive.trash(by, node.id);
}

/** What is there besides the Drive itself, which stays where it is. Throws `dav_not_found`, `forbidden`. */
function movable(needs: Needs, { by, path }: Asked): { place: Place; node: DriveNode } {
  const place = resolveThere(needs, by.user_id, namesOf(path));
  if (place.node === null) throw fail("dav_same_place");
  return { place, node: place.node };
}

/** Puts a file or folder into the trash. Throws `dav_not_found`, `dav_precondition`, `dav_locked`. */
export function answerDelete(needs: Needs, asked: Asked): Response {
  if (!["infinity", null].includes(asked.headers.get("depth")?.toLowerCase() ?? null))
    throw kernelFail("invalid_request", {
      field: "depth",
      reason: "must be infinity: a folder goes with all that is in it",
    });
  return needs.db.tx(() => {
    const { place, node } = movable(needs, asked);
    const shown = shownTokens(needs, asked);
    requireMatch(asked, place, true);
    requireUnlocked(needs, asked.by.user_id, place, shown, { self: true, inParent: true, below: true });
    remove(needs, asked, place, node);
    return done(false);
  });
}

/** Where something goes, and whether it may take the place of what is there. Throws what is wrong with that. */
function destinationOf(needs: Needs, asked: Asked, source: Place): Place {
  const { headers, by } = asked;
  const names = readAddress("destination", headers.get("destination"), headers);
  const place = resolve(needs, by.user_id, names);
  if (isTop(place) || hrefOf(place.names, false) === hrefOf(source.names, false)) throw fail("dav_same_place");
  if (place.node !== null && place.node.id === source.node?.id) throw fail("dav_same_place");
  // Nothing can take the place of a folder that it lies in.
  if (place.node !== null && source.above.includes(place.node.id)) throw fail("dav_same_place");
  const overwrite = headers.get("overwrite")?.trim().toUpperCase() ?? "T";
  if (isThere(place) && overwrite === "F") throw fail("dav_destination_taken");
  return place;
}

function requireFreeDestination(needs: Needs, { by }: Asked, place: Place, shown: ReadonlySet<string>): void {
  const isNew = !isThere(place);
  requireUnlocked(needs, by.user_id, place, shown, { self: true, inParent: isNew, below: isFolder(place) });
}

const isFileOverFile = (source: DriveNode, target: DriveNode | null): target is DriveNode =>
  target !== null && target.kind === "file" && source.kind === "file";

/**
 * Copies a file, or a folder with all in it or alone. A file over a file becomes its content, and what that held a version; whatever else
 * is replaced goes to the trash. Throws `dav_not_found`, `dav_same_place`, `dav_destination_taken`, `dav_locked`, `dav_property_limit`
 * and more of destinations.
 */
export async function answerCopy(needs: Needs, asked: Asked): Promise<Response> {
  const { by, headers } = asked;
  const { db, drive } = needs;
  const depth = headers.get("depth")?.trim().toLowerCase() ?? "infinity";
  if (depth !== "infinity" && depth !== "0")
    throw kernelFail("invalid_request", { field: "depth", reason: "must be 0 or infinity" });

  /** What is copied and where to, if that may be. */
  function readCopy() {
    const { place: source, node } = movable(needs, asked);
    const place = destinationOf(needs, asked, source);
    requireFreeDestination(needs, asked, place, shownTokens(needs, asked));
    return { node, place, isNew: place.node === null };
  }
  const along = propertiesAlong(needs, by.user_id);
  const copy = (large: LargeCopy | null) =>
    db.tx(() => {
      const { node, place, isNew } = readCopy();
      if (isFileOverFile(node, place.node)) {
        along.requireRoom(along.sizeOf([node.id]) - along.sizeOf([place.node.id]));
        drive.copyOver(by, node.id, place.node.id);
        along.copied(node.id, place.node.id);
      } else {
        const at = namedPlace(place);
        if (place.node !== null) remove(needs, asked, place, place.node);
        drive.copy(by, node.id, at, { large, isAlone: depth === "0", along });
      }
      return done(isNew);
    });

  const { node } = readCopy();
  if (node.kind === "file" || depth === "0") return copy(null);
  return await drive.withLargeCopy(by, node.id, along, copy);
}

/** Moves a file or folder; what is replaced is treated as `answerCopy` does. Throws what that throws. */
export async function answerMove(needs: Needs, asked: Asked): Promise<Response> {
  const { by } = asked;

  /** What is moved and where to, if that may be. */
  function readMove() {
    const { place: source, node } = movable(needs, asked);
    const place = destinationOf(needs, asked, source);
    const shown = shownTokens(needs, asked);
    requireMatch(asked, source, true);
    requireUnlocked(needs, by.user_id, source, shown, { self: true, inParent: true, below: true });
    requireFreeDestination(needs, asked, place, shown);
    return { source, node, place };
  }
  const parentOf = ({ above }: Place) => above.at(-1) ?? null;
  const first = readMove();
  const into = parentOf(first.place);
  const measured = await needs.drive.measureForMove(by, first.node.id, into);
  return needs.db.tx(() => {
    const { source, node, place } = readMove();
    // Something else is at these addresses by now.
    if (node.id !== first.node.id || parentOf(place) !== into) throw fail("dav_not_found");
    endLocks(needs, by.user_id, source);
    const isNew = place.node === null;
    if (isFileOverFile(node, place.node)) {
      copyProperties(needs.db, by.user_id, node.id, place.node.id);
      needs.drive.moveOver(by, node.id, place.node.id);
      return done(isNew);
    }
    const at = namedPlace(place);
    if (place.node !== null) remove(needs, asked, place, place.node);
    needs.drive.move(by, node.id, at, measured);
    return done(isNew);
  });
}
