import { AppError } from "../../../kernel/http/errors.ts";
import { sealRows } from "../../../kernel/seal.ts";
import { toIso } from "../../../lib/clock.ts";
import { sha256Hex } from "../../../lib/digest.ts";
import { forAccount, hashPassword } from "../../../shared/password/index.ts";
import { assertIncluded } from "../../../shared/plans/index.ts";
import { RANK, type Role } from "../../access.ts";
import { FREE_SHARES, fail, MAX_SHARES, type Share, type ShareInput, type Shares } from "./contract.ts";
import type { Own } from "./needs.ts";
import * as store from "./store.ts";

/** Of the secret in the address; nobody guesses 256 bits. */
const TOKEN_BYTES = 32;
const PURPOSE = "drive.share";

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}

/** Whether time has not ended a link, and its maker still may make one: what is read by it goes on. */
export function goesOn(row: store.ShareRow, now: number): boolean {
  const isMaker = row.is_disabled === 0 && RANK[row.role as Role] >= RANK.member;
  return isMaker && (row.expires_at === null || row.expires_at > now);
}

/** Whether a link opens: downloads have not ended it either. */
export const isOpen = (row: store.ShareRow, now: number): boolean => goesOn(row, now) && !isUsedUp(row);

/** Whether there were as many downloads as there may be. */
export const isUsedUp = ({ downloads, max_downloads }: store.ShareRow): boolean =>
  max_downloads !== null && downloads >= max_downloads;

/** The name of what a link leads to; null while that is in the trash. */
function nameOf({ drive }: Pick<Own, "drive">, { user_id, node_id }: store.ShareRow): string | null {
  try {
    return drive.wayTo(user_id, node_id)[0]?.name ?? null;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

function present(own: Own, row: store.ShareRow): Share {
  const name = nameOf(own, row);
  return {
    id: row.id,
    node_id: row.node_id,
    name: name ?? "",
    mode: row.mode,
    path: `/s/${sealRows(own.seal, PURPOSE).open(row.id, row.token_sealed)}`,
    has_password: row.password_hash !== null,
    expires_at: row.expires_at === null ? null : toIso(row.expires_at),
    max_downloads: row.max_downloads,
    downloads: row.downloads,
    uploads: row.uploads,
    created_at: toIso(row.created_at),
    last_used_at: row.last_used_at === null ? null : toIso(row.last_used_at),
    is_active: name !== null && isOpen(row, own.clock.now()),
  };
}

function endOf(text: string | null | undefined, now: number): number | null {
  if (text === null || text === undefined) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at) || at <= now) throw fail("share_expired_already");
  return at;
}

/**
 * Makes a link to a file or folder of the caller. Throws `drive_not_found`, `share_mode`, `share_expired_already`, `share_limit`,
 * `upgrade_required`.
 */
export async function makeShare(
  own: Own,
  by: By,
  nodeId: string,
  input: ShareInput,
  left: AbortSignal,
): Promise<Share> {
  const { db, drive, clock, ids, seal, bus } = own;
  const mode = input.mode ?? "read";
  const check = (): string => {
    const [node] = drive.wayTo(by.user_id, nodeId);
    if (mode !== "read" && node?.kind !== "folder") throw fail("share_mode");
    if (store.countShares(db, by.user_id) >= MAX_SHARES) throw fail("share_limit", { limit: MAX_SHARES });
    if (store.countActive(db, clock.now()) >= FREE_SHARES) assertIncluded(own.plan(), "suite_unlimited_shares");
    return node?.name ?? "";
  };
  check();
  const expires_at = endOf(input.expires_at, clock.now());
  const password = input.password ?? null;
  const asker = forAccount(by.user_id, by.ip, left);
  const password_hash = password === null ? null : await hashPassword(password, asker);
  const token = ids.token(TOKEN_BYTES);
  const id = ids.next("shr");
  db.tx(() => {
    // Others may have made some while the password was hashed.
    const name = check();
    store.insertShare(db, {
      ...{
        id,
        token_hash: sha256Hex(token),
        token_sealed: sealRows(seal, PURPOSE).seal(id, token),
        user_id: by.user_id,
      },
      ...{ node_id: nodeId, mode, password_hash, expires_at, max_downloads: input.max_downloads ?? null },
      created_at: clock.now(),
    });
    bus.emit("drive.share_created", { ...by, share_id: id, node_id: nodeId, name, mode });
  });
  return present(own, requireOwn(own, by.user_id, id));
}

function requireOwn({ db }: Own, userId: string, id: string): store.ShareRow {
  const row = store.findShare(db, userId, id);
  if (row === null) throw fail("share_not_found");
  return row;
}

/** The caller's links, of one file or folder or all. */
export function listShares(own: Own, userId: string, nodeId: string | null): Shares {
  const { db, clock } = own;
  return {
    shares: store.listShares(db, userId, nodeId, MAX_SHARES).map((row) => present(own, row)),
    limit: own.plan() === "community" ? FREE_SHARES : null,
    active: store.countActive(db, clock.now()),
  };
}

/** Ends a link of the caller. Throws `share_not_found`. */
export function endShare(own: Own, by: By, id: string): void {
  const { db, bus } = own;
  db.tx(() => {
    const row = requireOwn(own, by.user_id, id);
    store.deleteShare(db, id);
    bus.emit("drive.share_ended", { ...by, share_id: id, node_id: row.node_id, name: nameOf(own, row) ?? "" });
  });
}
