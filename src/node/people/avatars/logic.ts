import { sha256Hex } from "../../../lib/digest.ts";
import type { AvatarResult } from "./contract.ts";
import type { Needs } from "./needs.ts";
import { renderAvatar } from "./render.ts";
import { deleteAvatar, findAvatar, insertAvatar, listAvatarNames } from "./store.ts";

/** Shows `sha256` (null: nothing) on the account and drops the picture it showed before, unless others show it too. */
function replaceAvatar({ db, bus, users }: Needs, userId: string, sha256: string | null): void {
  const before = users.find(userId)?.avatar_sha256 ?? null;
  users.updateAvatar(userId, sha256);
  if (before !== null && !users.isAvatarUsed(before)) deleteAvatar(db, before);
  bus.emit("avatar.changed", { user_id: userId });
}

/** Drops the pictures that no account shows any more, after one was deleted. */
export function dropUnusedAvatars({ db, users }: Needs): void {
  for (const sha256 of listAvatarNames(db)) if (!users.isAvatarUsed(sha256)) deleteAvatar(db, sha256);
}

/** A picture as it came, and what aborts when its sender has gone. */
export interface SentPicture {
  bytes: Uint8Array<ArrayBuffer>;
  left: AbortSignal;
}

/** Makes a picture the user's avatar. Throws like `renderAvatar`. */
export async function setAvatar(needs: Needs, userId: string, { bytes, left }: SentPicture): Promise<AvatarResult> {
  const png = await renderAvatar(bytes, left);
  const sha256 = sha256Hex(png);
  needs.db.tx(() => {
    insertAvatar(needs.db, sha256, png);
    replaceAvatar(needs, userId, sha256);
  });
  return { avatar_url: `/api/avatars/${sha256}.png` };
}

/** Takes the user's avatar away; nothing happens when there is none. */
export function removeAvatar(needs: Needs, userId: string): void {
  needs.db.tx(() => replaceAvatar(needs, userId, null));
}

/** The picture behind `<sha256>.png`; null when the name is odd or nobody shows it. */
export function readAvatar({ db }: Pick<Needs, "db">, file: string): Uint8Array<ArrayBuffer> | null {
  const sha256 = /^([0-9a-f]{64})\.png$/.exec(file)?.[1];
  return sha256 === undefined ? null : findAvatar(db, sha256);
}
