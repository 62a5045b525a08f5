import type { Store } from "../../../../kernel/db/store.ts";

/** An app as the panel shows it: the image is that of its main service, restarts are those of all. */
export interface AppFacts {
  id: string;
  name: string;
  status: string;
  image: string;
  restarts: number;
}

export function listAppFacts(db: Store, limit: number): AppFacts[] {
  return db.raw
    .query<AppFacts, [number]>(
      `SELECT a.id, a.name, a.status, coalesce(min(s.image), '') AS image, coalesce(sum(s.restarts), 0) AS restarts
       FROM apps a LEFT JOIN app_services s ON s.app_id = a.id
       GROUP BY a.id ORDER BY a.created_at, a.id LIMIT ?`,
    )
    .all(limit);
}
