import { AppError } from "../../../kernel/http/errors.ts";
import { alsoAsk } from "../../../kernel/http/right-to-read.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { hours } from "../../../lib/duration.ts";
import { parseJson } from "../../../lib/json.ts";
import { forVisitor, verifyPassword } from "../../../shared/password/index.ts";
import type { DriveNode } from "../drive/contract.ts";
import { fail, type OpenedShare, type SharedNode, type SharedTree } from "./contract.ts";
import { goesOn, isOpen, isUsedUp } from "./manage.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

const PURPOSE = "drive.share_pass";
/** How long a password that was entered opens the link. */
const PASS_MS = hours(1);

/** Who comes, and with what. */
export interface Visitor {
  ip: string;
  token: string;
  pass: string | undefined;
}

/** A link that opens, with what it leads to. */
export interface Found {
  row: store.ShareRow;
  node: DriveNode;
}

const shown = ({ id, kind, name, size_bytes, changed_at }: DriveNode): SharedNode => ({
  ...{ id, kind, name, size_bytes, changed_at },
});

/** The link of an address. Throws `component_not_installed`, `drive_paused`, `too_many_requests`, `share_used_up`, `share_not_found`. */
function find(own: Own, { ip, token }: Pick<Visitor, "ip" | "token">): Found {
  const { db, clock, drive, gates } = own;
  own.drive.require();
  const row = store.findByToken(db, sha256Hex(token));
  if (row !== null && isUsedUp(row)) throw fail("share_used_up", { limit: row.max_downloads ?? 0 });
  // Only what is wrong is counted: nobody guesses 256 bits, and whoever has a link is not shut out by others who try.
  if (row === null) gates.guess(ip);
  if (row === null || !isOpen(row, clock.now())) throw fail("share_not_found");
  try {
    const [node] = drive.wayTo(row.user_id, row.node_id);
    if (node !== undefined) return { row, node };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw fail("share_not_found");
}

/** Whether the password was entered, which passes end with: another one makes them worth nothing. */
function hasPass({ seal, clock }: Own, { id, password_hash }: store.ShareRow, pass: string | undefined): boolean {
  if (password_hash === null) return true;
  if (pass === undefined) return false;
  let plain: unknown;
  try {
    plain = parseJson(seal.open(PURPOSE, pass));
  } catch {
    return false;
  }
  const [shareId, until]: unknown[] = Array.isArray(plain) ? plain : [];
  return shareId === id && typeof until === "number" && until > clock.now();
}

/** The same for whoever has the password, where there is one. Throws `share_password_required` too. */
export function enter(own: Own, visitor: Visitor): Found {
  const found = find(own, visitor);
  if (!hasPass(own, found.row, visitor.pass)) throw fail("share_password_required");
  return found;
}

/** What a link is. Throws what `find` throws. */
export function openShare(own: Own, visitor: Visitor): OpenedShare {
  const { row, node } = find(own, visitor);
  const isIn = hasPass(own, row, visitor.pass);
  return {
    needs_password: !isIn,
    mode: row.mode,
    expires_at: row.expires_at === null ? null : toIso(row.expires_at),
    downloads_left: row.max_downloads === null ? null : row.max_downloads - row.downloads,
    node: isIn ? shown(node) : null,
    by: isIn ? row.username : null,
  };
}

/** What opens the link for an hour, for its password. Throws what `find` throws, `share_password_wrong`, `too_many_requests`. */
export async function enterPassword(
  own: Own,
  visitor: Omit<Visitor, "pass">,
  password: string,
  left: AbortSignal,
): Promise<string> {
  const { row, node } = find(own, visitor);
  const giveBack = own.gates.tryPassword(row, visitor.ip);
  const asker = forVisitor(visitor.ip, left);
  if (row.password_hash !== null && !(await verifyPassword(password, row.password_hash, asker))) {
    own.db.record(() => own.bus.emit("drive.share_refused", onRecord(visitor, row, node)));
    throw fail("share_password_wrong");
  }
  giveBack();
  return own.seal.seal(PURPOSE, JSON.stringify([row.id, own.clock.now() + PASS_MS]));
}

/** What stands on record of a link that was used. */
export const onRecord = ({ ip }: Pick<Visitor, "ip">, { id, user_id }: store.ShareRow, node: DriveNode) => ({
  ...{ ip, user_id, share_id: id, node_id: node.id, name: node.name },
});

/** A node within what is shared, and the folders down to it. Throws `share_not_found`. */
function within(own: Own, { row, node }: Found, id: string): { inner: DriveNode; above: DriveNode[] } {
  try {
    const [inner, ...above] = own.drive.wayTo(row.user_id, id);
    const at = above.findIndex((folder) => folder.id === node.id);
    if (inner !== undefined && (inner.id === node.id || at >= 0)) return { inner, above: above.slice(0, at + 1) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
  throw fail("share_not_found");
}

/** One page of a shared folder. Throws what `enter` throws, `share_not_allowed`. */
export function listShared(
  own: Own,
  visitor: Visitor,
  folderId: string | undefined,
  after: string | undefined,
): SharedTree {
  const found = enter(own, visitor);
  if (found.row.mode === "drop" || found.node.kind !== "folder") throw fail("share_not_allowed");
  const { inner } = within(own, found, folderId ?? found.node.id);
  const { path, nodes, next } = own.drive.list(found.row.user_id, inner.id, after);
  const from = path.findIndex(({ id }) => id === found.node.id);
  return { path: path.slice(from + 1), nodes: nodes.map(shown), next };
}

/**
 * What is shared, or a file or folder in it, a folder as an archive; whoever asks for its head alone is not counted. Throws what
 * `enter` throws, `share_not_allowed`, `share_used_up`.
 */
export async function downloadShared(
  own: Own,
  visitor: Visitor,
  nodeId: string | undefined,
  request: Request,
): Promise<Response> {
  const { db, bus, clock } = own;
  const found = enter(own, visitor);
  const { row } = found;
  if (row.mode === "drop") throw fail("share_not_allowed");
  const { inner } = within(own, found, nodeId ?? found.node.id);
  alsoAsk(request, () => {
    own.drive.require();
    const now = store.findShare(db, row.user_id, row.id);
    if (now === null || !goesOn(now, clock.now())) throw fail("share_not_found");
    within(own, found, inner.id);
  });
  // What cannot be read is no download.
  const reader = { key: row.user_id, ip: visitor.ip, request, byLink: true };
  const answer = await own.drive.answer(row.user_id, inner.id, reader);
  if (request.method === "HEAD") return answer;
  const isLeft = db.tx(() => {
    if (!store.takeDownload(db, row.id, clock.now())) return false;
    bus.emit("drive.share_downloaded", onRecord(visitor, row, inner));
    return true;
  });
  if (isLeft) return answer;
  await answer.body?.cancel();
  throw fail("share_used_up", { limit: row.max_downloads ?? 0 });
}

/** The folder that a file may be put into. Throws what `enter` throws, `share_not_allowed`. */
export function placeFor(own: Own, visitor: Visitor, folderId: string | undefined): string {
  const found = enter(own, visitor);
  const { row, node } = found;
  if (row.mode === "read" || (row.mode === "drop" && folderId !== undefined && folderId !== node.id))
    throw fail("share_not_allowed");
  const { inner } = within(own, found, folderId ?? node.id);
  if (inner.kind !== "folder") throw fail("share_not_allowed");
  return inner.id;
}

/** Puts a file where `placeFor` said, as one of whoever shares the folder. Throws what `placeFor` and the Drive throw. */
export async function putShared(
  own: Own,
  visitor: Visitor,
  folderId: string | undefined,
  file: { name: string; bytes: Uint8Array },
): Promise<{ name: string; size_bytes: number }> {
  const { db, bus, clock } = own;
  const place = placeFor(own, visitor, folderId);
  const { row } = find(own, visitor);
  const { name, size_bytes, ...made } = await own.drive.store(
    { user_id: row.user_id, ip: visitor.ip },
    place,
    file.name,
    file.bytes,
  );
  db.tx(() => {
    store.countUpload(db, row.id, clock.now());
    bus.emit("drive.share_uploaded", onRecord(visitor, row, { ...made, name, size_bytes }));
  });
  return { name, size_bytes };
}
