import type { Store } from "../../../kernel/db/store.ts";
import type { AppStatus } from "./contract.ts";

/** Work that survives a crash of the node. */
export type AppWork = "install" | "start" | "stop" | "restart" | "uninstall" | "update" | "rollback";

/** A row of `apps`. */
export interface AppRow {
  id: string;
  name: string;
  template: string;
  version: string;
  status: AppStatus;
  cause: string | null;
  next_step: string | null;
  created_at: string;
  /** When the first install ended well. */
  installed_at: string | null;
  started_at: string | null;
  work: AppWork | null;
  op_id: string | null;
  delete_data: number;
  /** JSON of AppConfig. */
  config: string;
  /** JSON of the template's manifest. */
  manifest: string;
  compose: string;
  /** Which set of volumes it runs on; each update has one of its own. */
  generation: number;
}

/** A row of `app_ports`. */
export interface PortRow {
  app_id: string;
  service: string;
  container: number;
  protocol: "tcp" | "udp";
  host: number;
  bind: string;
  purpose: string;
}

export function listApps(db: Store): AppRow[] {
  return db.raw.query<AppRow, []>("SELECT * FROM apps ORDER BY created_at, id").all();
}

/** Ids and names only: the rest of a row is long. */
export function listAppNames(db: Store): { id: string; name: string }[] {
  return db.raw.query<{ id: string; name: string }, []>("SELECT id, name FROM apps ORDER BY created_at, id").all();
}

/** An app with the time at which it first ran; null while it has not. */
export interface InstalledApp {
  id: string;
  name: string;
  installed_at: string | null;
}

export function listInstalled(db: Store): InstalledApp[] {
  return db.raw.query<InstalledApp, []>("SELECT id, name, installed_at FROM apps ORDER BY created_at, id").all();
}

export function findApp(db: Store, id: string): AppRow | null {
  return db.raw.query<AppRow, [string]>("SELECT * FROM apps WHERE id = ?").get(id);
}

export function findAppByName(db: Store, name: string): AppRow | null {
  return db.raw.query<AppRow, [string]>("SELECT * FROM apps WHERE name = ?").get(name);
}

/** How many apps are installed (or being installed), and how many of them run. */
export function countApps(db: Store): { installed: number; running: number } {
  const sql = "SELECT count(*) AS installed, coalesce(sum(status = 'running'), 0) AS running FROM apps";
  return db.raw.query<{ installed: number; running: number }, []>(sql).get() ?? { installed: 0, running: 0 };
}

export function insertApp(db: Store, row: AppRow): void {
  db.raw
    .query(
      `INSERT INTO apps (id, name, template, version, status, cause, next_step, created_at, installed_at, started_at,
         work, op_id, delete_data, config, manifest, compose, generation)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.id,
      row.name,
      row.template,
      row.version,
      row.status,
      row.cause,
      row.next_step,
      row.created_at,
      row.installed_at,
      row.started_at,
      row.work,
      row.op_id,
      row.delete_data,
      row.config,
      row.manifest,
      row.compose,
      row.generation,
    );
}

/** Writes what changes in an app's life. */
export function updateApp(db: Store, row: AppRow): void {
  db.raw
    .query(
      `UPDATE apps SET status = ?, cause = ?, next_step = ?, installed_at = ?, started_at = ?, work = ?, op_id = ?,
         delete_data = ? WHERE id = ?`,
    )
    .run(
      row.status,
      row.cause,
      row.next_step,
      row.installed_at,
      row.started_at,
      row.work,
      row.op_id,
      row.delete_data,
      row.id,
    );
}

/** Replaces what the admin chose; `config` is JSON. */
export function updateConfig(db: Store, id: string, config: string): void {
  db.raw.query("UPDATE apps SET config = ? WHERE id = ?").run(config, id);
}

/** Removes an app with its services, ports and journal; its secrets stay with its data. */
export function deleteApp(db: Store, id: string): void {
  db.raw.query("DELETE FROM apps WHERE id = ?").run(id);
}

export function listPorts(db: Store, appId: string): PortRow[] {
  return db.raw
    .query<PortRow, [string]>("SELECT * FROM app_ports WHERE app_id = ? ORDER BY service, container, protocol")
    .all(appId);
}

/** Ports of all apps. */
export function listAllPorts(db: Store): PortRow[] {
  return db.raw.query<PortRow, []>("SELECT * FROM app_ports ORDER BY app_id, service, container, protocol").all();
}

/** Replaces an app's ports. */
export function replacePorts(db: Store, appId: string, ports: readonly Omit<PortRow, "app_id">[]): void {
  db.tx(() => {
    db.raw.query("DELETE FROM app_ports WHERE app_id = ?").run(appId);
    const insert = db.raw.query(
      "INSERT INTO app_ports (app_id, service, container, protocol, host, bind, purpose) VALUES (?, ?, ?, ?, ?, ?, ?)",
    );
    for (const port of ports) {
      insert.run(appId, port.service, port.container, port.protocol, port.host, port.bind, port.purpose);
    }
  });
}
