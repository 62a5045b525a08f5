import type { Store } from "../../../kernel/db/store.ts";
import { pageOrigin } from "./panel-page.ts";

/** Why a link is over. */
export type LinkEnd = "disconnected" | "needs_new_token" | "deleted";

/** The row of `panel_link`; times in milliseconds. */
export interface LinkRow {
  revision: string;
  instance_id: string;
  agent_url: string;
  panel_url: string | null;
  tenant_id: string;
  /** Of one panel and one workspace there: kept when the node is connected to the same ones anew. */
  membership: string;
  /** The root (PEM) by which the panel proved itself as the node was connected; null for a link that did not keep it. */
  root: string | null;
  ca_bundle: string;
  credentials: string;
  secret: string;
  license_token: string;
  certificate_end: number;
  renew_at: number;
  ended: LinkEnd | null;
  ended_reason: string | null;
  changed_by: string;
  changed_from: string;
  changed_at: number;
  announced: number;
  last_heartbeat_at: number | null;
}

export function findLink(db: Store): LinkRow | null {
  const row = db.raw.query<LinkRow, []>("SELECT * FROM panel_link WHERE id = 1").get();
  if (row === null || row.panel_url === null) return row;
  // Earlier releases wrote down whatever the panel sent.
  return { ...row, panel_url: pageOrigin(row.panel_url, row.agent_url) };
}

/** The revision alone, which is asked for every second. */
export function findRevision(db: Store): string | null {
  const sql = "SELECT revision FROM panel_link WHERE id = 1";
  return db.raw.query<{ revision: string }, []>(sql).get()?.revision ?? null;
}

/** True while the row means that the node belongs to a panel. */
export const isMember = ({ ended }: Pick<LinkRow, "ended">): boolean => ended === null || ended === "needs_new_token";

/** The membership that goes on; null while the node belongs to no panel. */
export function findMembership(db: Store): string | null {
  const row = findLink(db);
  return row !== null && isMember(row) ? row.membership : null;
}

/** Puts a link in place of what there was. */
export function putLink(db: Store, row: LinkRow): void {
  db.raw
    .query(
      `INSERT OR REPLACE INTO panel_link (id, revision, instance_id, agent_url, panel_url, tenant_id, membership, root, ca_bundle,
         credentials, secret, license_token, certificate_end, renew_at, ended, ended_reason, changed_by, changed_from,
         changed_at, announced, last_heartbeat_at)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      row.revision,
      row.instance_id,
      row.agent_url,
      row.panel_url,
      row.tenant_id,
      row.membership,
      row.root,
      row.ca_bundle,
      row.credentials,
      row.secret,
      row.license_token,
      row.certificate_end,
      row.renew_at,
      row.ended,
      row.ended_reason,
      row.changed_by,
      row.changed_from,
      row.changed_at,
      row.announced,
      row.last_heartbeat_at,
    );
}

/** What a conversation may change of its own link; false when there is another one by now. */
export function updateLink(
  db: Store,
  revision: string,
  row: Pick<
    LinkRow,
    | "panel_url"
    | "ca_bundle"
    | "credentials"
    | "license_token"
    | "certificate_end"
    | "renew_at"
    | "ended"
    | "ended_reason"
    | "last_heartbeat_at"
  >,
): boolean {
  const { changes } = db.raw
    .query(
      `UPDATE panel_link SET panel_url = ?, ca_bundle = ?, credentials = ?, license_token = ?, certificate_end = ?,
         renew_at = ?, ended = ?, ended_reason = ?, last_heartbeat_at = ? WHERE revision = ?`,
    )
    .run(
      row.panel_url,
      row.ca_bundle,
      row.credentials,
      row.license_token,
      row.certificate_end,
      row.renew_at,
      row.ended,
      row.ended_reason,
      row.last_heartbeat_at,
      revision,
    );
  return changes > 0;
}

/** Notes that the change with this revision has been told. */
export function markAnnounced(db: Store, revision: string): void {
  db.raw.query("UPDATE panel_link SET announced = 1 WHERE revision = ?").run(revision);
}

/** True once the present link has got through. */
export function hasHeartbeat(db: Store): boolean {
  return [findLink(db)].some((link) => link?.ended === null && link.last_heartbeat_at !== null);
}
