import type { LastingWay } from "../../base.ts";
import { fail, type Passkey } from "./contract.ts";
import type { Needs } from "./needs.ts";
import * as store from "./store.ts";

const presentPasskey = ({ id, name, created_at, last_used_at }: store.PasskeyRow): Passkey => ({
  id,
  name,
  created_at,
  last_used_at,
});

/** The user's passkeys, oldest first. */
export function listOwnPasskeys({ db }: Pick<Needs, "db">, userId: string): { passkeys: Passkey[] } {
  return { passkeys: store.listPasskeys(db, userId).map(presentPasskey) };
}

/** Gives a passkey another name. Throws `passkey_not_found`. */
export function renameOwnPasskey({ db }: Pick<Needs, "db">, userId: string, id: string, name: string): Passkey {
  const row = store.renamePasskey(db, userId, id, name.trim());
  if (!row) throw fail("passkey_not_found", { id });
  return presentPasskey(row);
}

/** Passkeys, which outlast the session that made them. */
export const passkeysWay = (needs: Pick<Needs, "db" | "bus">): LastingWay => ({
  name: "passkeys",
  count: (userId) => store.listPasskeys(needs.db, userId).length,
  endAllOf(userId, { ip }) {
    const all = store.listPasskeys(needs.db, userId);
    for (const { id } of all) deleteOwnPasskey(needs, userId, id, ip);
    return all.length;
  },
  endMadeBy(deviceId, ip) {
    for (const { user_id, id } of store.listPasskeysOfDevice(needs.db, deviceId))
      deleteOwnPasskey(needs, user_id, id, ip);
  },
});

/** Removes a passkey; it opens nothing any more. Throws `passkey_not_found`. */
export function deleteOwnPasskey({ db, bus }: Pick<Needs, "db" | "bus">, userId: string, id: string, ip: string): void {
  db.tx(() => {
    const row = store.deletePasskey(db, userId, id);
    if (!row) throw fail("passkey_not_found", { id });
    bus.emit("passkey.deleted", { user_id: userId, passkey_id: id, name: row.name, ip });
  });
}
