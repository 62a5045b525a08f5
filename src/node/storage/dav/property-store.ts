import type { Store } from "../../../kernel/db/store.ts";

/** A row of `dav_properties`. */
export interface PropertyRow {
  node_id: string | null;
  namespace: string;
  name: string;
  element: string;
}

/** What is kept with these files and folders; null is the Drive itself. */
export const listProperties = (db: Store, userId: string, nodeIds: readonly (string | null)[]): PropertyRow[] =>
  db.raw
    .query<PropertyRow, [string, string]>(
      `SELECT node_id, namespace, name, element FROM dav_properties
       WHERE user_id = ? AND ifnull(node_id, '') IN (SELECT value FROM json_each(?)) ORDER BY rowid`,
    )
    .all(userId, JSON.stringify(nodeIds.map((id) => id ?? "")));

/** How many properties are kept with a file or folder, and how large they are together. */
export const measureProperties = (
  db: Store,
  userId: string,
  nodeId: string | null,
): { count: number; size_bytes: number } =>
  db.raw
    .query<{ count: number; size_bytes: number }, [string, string]>(
      `SELECT count(*) AS count, coalesce(sum(octet_length(element)), 0) AS size_bytes FROM dav_properties
       WHERE user_id = ? AND ifnull(node_id, '') = ?`,
    )
    .get(userId, nodeId ?? "") ?? { count: 0, size_bytes: 0 };

/** What all properties of a Drive take. */
export const findSum = (db: Store, userId: string): number =>
  db.raw
    .query<{ size_bytes: number }, [string]>("SELECT size_bytes FROM dav_property_sums WHERE user_id = ?")
    .get(userId)?.size_bytes ?? 0;

/** How many are kept with these files and folders, counted no further than to a limit. */
export const countProperties = (db: Store, nodeIds: readonly string[], limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      `SELECT count(*) AS count FROM
         (SELECT 1 FROM json_each(?) AS j CROSS JOIN dav_properties p ON p.node_id = j.value LIMIT ?)`,
    )
    .get(JSON.stringify(nodeIds), limit)?.count ?? 0;

/** What those kept with these take, as `dav_property_sums` counts it. */
export const sizeOfProperties = (db: Store, nodeIds: readonly string[]): number =>
  db.raw
    .query<{ size_bytes: number }, [string]>(
      `SELECT coalesce(sum(256 + octet_length(element) + 2 * (octet_length(namespace) + octet_length(name))), 0) AS size_bytes
       FROM json_each(?) AS j CROSS JOIN dav_properties p ON p.node_id = j.value`,
    )
    .get(JSON.stringify(nodeIds))?.size_bytes ?? 0;

/** Removes those kept with these, at most so many; tells how many. What triggers change does not count. */
export const deletePropertiesOf = (db: Store, nodeIds: readonly string[], limit: number): number =>
  db.raw
    .query<{ rowid: number }, [string, number]>(
      `DELETE FROM dav_properties WHERE rowid IN
         (SELECT p.rowid FROM json_each(?) AS j CROSS JOIN dav_properties p ON p.node_id = j.value LIMIT ?) RETURNING rowid`,
    )
    .all(JSON.stringify(nodeIds), limit).length;

/** How many somebody has, counted no further than to a limit. */
export const countOwned = (db: Store, userId: string, limit: number): number =>
  db.raw
    .query<{ count: number }, [string, number]>(
      "SELECT count(*) AS count FROM (SELECT 1 FROM dav_properties WHERE user_id = ? LIMIT ?)",
    )
    .get(userId, limit)?.count ?? 0;

/** Removes somebody's, at most so many; tells how many. */
export const deleteOwned = (db: Store, userId: string, limit: number): number =>
  db.raw
    .query<{ rowid: number }, [string, number]>(
      `DELETE FROM dav_properties WHERE rowid IN (SELECT rowid FROM dav_properties WHERE user_id = ? LIMIT ?) RETURNING rowid`,
    )
    .all(userId, limit).length;

export const putProperty = (db: Store, userId: string, { node_id, namespace, name, element }: PropertyRow): void =>
  void db.raw
    .query(
      `INSERT INTO dav_properties (user_id, node_id, namespace, name, element) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET element = excluded.element`,
    )
    .run(userId, node_id, namespace, name, element);

export const deleteProperty = (
  db: Store,
  userId: string,
  { node_id, namespace, name }: Omit<PropertyRow, "element">,
): void =>
  void db.raw
    .query("DELETE FROM dav_properties WHERE user_id = ? AND ifnull(node_id, '') = ? AND namespace = ? AND name = ?")
    .run(userId, node_id ?? "", namespace, name);

/** Gives a file or folder what is kept with another one, and nothing else. */
export function copyProperties(db: Store, userId: string, from: string, to: string): void {
  db.raw.query("DELETE FROM dav_properties WHERE user_id = ? AND node_id = ?").run(userId, to);
  db.raw
    .query(
      `INSERT INTO dav_properties (user_id, node_id, namespace, name, element)
       SELECT user_id, ?, namespace, name, element FROM dav_properties WHERE user_id = ? AND node_id = ?`,
    )
    .run(to, userId, from);
}
