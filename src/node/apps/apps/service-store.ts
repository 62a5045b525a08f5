import type { Store } from "../../../kernel/db/store.ts";

/** A row of `app_services`: what was last seen of one container. */
export interface ServiceRow {
  app_id: string;
  name: string;
  image: string;
  container_id: string | null;
  /** Docker's word, or `missing`. */
  state: string;
  health: string | null;
  restarts: number;
  exit_code: number | null;
  oom_killed: number;
  started_at: string | null;
}

export function listServices(db: Store, appId: string): ServiceRow[] {
  return db.raw.query<ServiceRow, [string]>("SELECT * FROM app_services WHERE app_id = ? ORDER BY name").all(appId);
}

/** A container that runs now, and whose it is. */
export interface RunningService {
  app_id: string;
  container_id: string;
  started_at: string | null;
}

/** The containers of all apps that run now. */
export function listRunning(db: Store): RunningService[] {
  return db.raw
    .query<RunningService, []>(
      "SELECT app_id, container_id, started_at FROM app_services WHERE state = 'running' AND container_id IS NOT NULL",
    )
    .all();
}

export function writeService(db: Store, row: ServiceRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO app_services
         (app_id, name, image, container_id, state, health, restarts, exit_code, oom_killed, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.app_id,
      row.name,
      row.image,
      row.container_id,
      row.state,
      row.health,
      row.restarts,
      row.exit_code,
      row.oom_killed,
      row.started_at,
    );
}

/** All containers of an app are gone. */
export function forgetContainers(db: Store, appId: string): void {
  db.raw
    .query(
      `UPDATE app_services SET container_id = NULL, state = 'missing', health = NULL, restarts = 0, exit_code = NULL,
         oom_killed = 0, started_at = NULL WHERE app_id = ?`,
    )
    .run(appId);
}
