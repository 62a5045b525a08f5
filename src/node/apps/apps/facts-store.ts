import type { Store } from "../../../kernel/db/store.ts";

/**
 * An app in few words: the image is that of its main service, restarts are those of all, and a container that starts
 * again and again or is dead speaks for the whole.
 */
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
      `SELECT a.id, a.name,
         CASE WHEN max(s.state = 'dead') THEN 'dead' WHEN max(s.state = 'restarting') THEN 'restarting'
           ELSE a.status END AS status,
         coalesce(max(s.image) FILTER (WHERE s.name = json_extract(a.manifest, '$.main.service')), min(s.image), '') AS image,
         coalesce(sum(s.restarts), 0) AS restarts
       FROM apps a LEFT JOIN app_services s ON s.app_id = a.id
       GROUP BY a.id ORDER BY a.created_at, a.id LIMIT ?`,
    )
    .all(limit);
}
