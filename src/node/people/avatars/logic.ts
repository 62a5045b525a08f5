import { sha256Hex } from "../../../lib/digest.ts";
import type { NodeContext } from "../../context.ts";
import { findUser, isAvatarUsed, updateAvatar } from "../users/index.ts";
import type { AvatarResult } from "./contract.ts";
import { renderAvatar } from "./render.ts";
import { deleteAvatar, findAvatar, insertAvatar, listAvatarNames } from "./store.ts";

type Deps = Pick<NodeContext, "db" | "bus">;

/** Shows `sha256` (null: nothing) on the account and drops the picture it showed before, unless others show it too. */
function replaceAvatar({ db, bus }: Deps, userId: string, sha256: string | null): void {
  const before = findUser(db, userId)?.avatar_sha256 ?? null;
  updateAvatar(db, userId, sha256);
  if (before !== null && !isAvatarUsed(db, before)) deleteAvatar(db, before);
  bus.emit("avatar.changed", { user_id: userId });
}

/** Drops the pictures that no account shows any more, after one was deleted. */
export function dropUnusedAvatars({ db }: Pick<Deps, "db">): void {
  for (const sha256 of listAvatarNames(db)) if (!isAvatarUsed(db, sha256)) deleteAvatar(db, sha256);
}

/** Makes a picture the user's avatar. Throws like `renderAvatar`. */
export async function setAvatar(deps: Deps, userId: string, bytes: Uint8Array<ArrayBuffer>): Promise<AvatarResult> {
  const png = await renderAvatar(bytes);
  const sha256 = sha256Hex(png);
  deps.db.tx(() => {
    insertAvatar(deps.db, sha256, png);
    replaceAvatar(deps, userId, sha256);
  });
  return { avatar_url: `/api/avatars/${sha256}.png` };
}

/** Takes the user's avatar away; nothing happens when there is none. */
export function removeAvatar(deps: Deps, userId: string): void {
  deps.db.tx(() => replaceAvatar(deps, userId, null));
}

/** The picture behind `<sha256>.png`; null when the name is odd or nobody shows it. */
export function readAvatar({ db }: Pick<Deps, "db">, file: string): Uint8Array<ArrayBuffer> | null {
  const sha256 = /^([0-9a-f]{64})\.png$/.exec(file)?.[1];
  return sha256 === undefined ? null : findAvatar(db, sha256);
}
