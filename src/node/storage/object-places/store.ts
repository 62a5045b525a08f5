import type { Store } from "../../../kernel/db/store.ts";

/** The row of `object_place`. */
export interface PlaceRow {
  kind: string;
  /** Sealed. */
  place: string;
  changed_at: string;
}

/** A row of `object_place_uploads`. */
export interface UploadRow {
  id: string;
  bucket: string;
  object_key: string;
  upload_id: string;
  media_type: string;
  started_at: number;
}

export const findPlace = (db: Store): PlaceRow | null =>
  db.raw.query<PlaceRow, []>("SELECT kind, place, changed_at FROM object_place").get();

export function putPlace(db: Store, { kind, place, changed_at }: PlaceRow): void {
  db.raw
    .query("INSERT OR REPLACE INTO object_place (id, kind, place, changed_at) VALUES (1, ?, ?, ?)")
    .run(kind, place, changed_at);
}

export const deletePlace = (db: Store): void => void db.raw.query("DELETE FROM object_place").run();

export const findUpload = (db: Store, id: string): UploadRow | null =>
  db.raw.query<UploadRow, [string]>("SELECT * FROM object_place_uploads WHERE id = ?").get(id);

export const countUploads = (db: Store): number =>
  db.raw.query<{ count: number }, []>("SELECT count(*) AS count FROM object_place_uploads").get()?.count ?? 0;

/** Those that began before a moment. */
export const listStale = (db: Store, before: number): UploadRow[] =>
  db.raw.query<UploadRow, [number]>("SELECT * FROM object_place_uploads WHERE started_at < ?").all(before);

export function insertUpload(db: Store, row: UploadRow): void {
  const { id, bucket, object_key, upload_id, media_type, started_at } = row;
  db.raw
    .query("INSERT INTO object_place_uploads VALUES (?, ?, ?, ?, ?, ?)")
    .run(id, bucket, object_key, upload_id, media_type, started_at);
}

export const deleteUpload = (db: Store, id: string): void =>
  void db.raw.query("DELETE FROM object_place_uploads WHERE id = ?").run(id);

export const deleteUploads = (db: Store): void => void db.raw.query("DELETE FROM object_place_uploads").run();
