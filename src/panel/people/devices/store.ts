import type { SystemTx } from "../../data/tenant-db.ts";

export interface PlaceRow {
  account_id: string;
  /** A hash of the network and the browser. */
  place: string;
  seen_at: number;
  /** Null while nobody was told of it. */
  told_at: number | null;
}

/** The places that an account signed in from, the latest first. */
export function listPlaces(tx: SystemTx, accountId: string): Promise<PlaceRow[]> {
  return tx.all("SELECT * FROM sign_in_places WHERE account_id = ? ORDER BY seen_at DESC, place", [accountId]);
}

/** Writes one down, or that somebody signed in there again. */
export async function putPlace(tx: SystemTx, { account_id, place, seen_at, told_at }: PlaceRow): Promise<void> {
  await tx.run(
    `INSERT INTO sign_in_places (account_id, place, seen_at, told_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id, place) DO UPDATE SET seen_at = excluded.seen_at, told_at = excluded.told_at`,
    [account_id, place, seen_at, told_at],
  );
}

/** Forgets where some accounts signed in from. */
export async function deletePlacesOf(tx: SystemTx, accountIds: readonly string[]): Promise<void> {
  const places = accountIds.map(() => "?").join(", ");
  await tx.run(`DELETE FROM sign_in_places WHERE account_id IN (${places})`, [...accountIds]);
}

export async function deletePlace(tx: SystemTx, { account_id, place }: PlaceRow): Promise<void> {
  await tx.run("DELETE FROM sign_in_places WHERE account_id = ? AND place = ?", [account_id, place]);
}
