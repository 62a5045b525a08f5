import { toIso } from "../../../lib/clock.ts";
import type { MembershipRow } from "../tenants/index.ts";
import type { Workspace } from "./contract.ts";

const COLORS = ["#6d7cff", "#2aa198", "#d97706", "#c2410c", "#be185d", "#7c3aed", "#0e7490", "#4d7c0f"];

/** Up to two letters: the first ones of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toUpperCase();
}

/** The same colour for a workspace every time. */
function colorOf(id: string): string {
  const sum = [...id].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return COLORS[sum % COLORS.length] ?? "";
}

/** What waits for somebody in a workspace. */
export interface Waiting {
  open_incidents: number;
  unread_notifications: number;
}

/** A workspace as one of its members sees it. */
export function presentWorkspace(row: MembershipRow, currentId: string, waiting: Waiting): Workspace {
  return {
    id: row.tenant_id,
    name: row.tenant_name,
    plan: row.plan,
    status: row.tenant_status,
    mode: row.mode,
    mode_chosen: row.mode_chosen === 1,
    role: row.role,
    member_id: row.member_id,
    parent_tenant_id: row.parent_tenant_id,
    last_active_at: row.last_active_at === null ? null : toIso(row.last_active_at),
    created_at: toIso(row.created_at),
    open_incidents: waiting.open_incidents,
    unread_notifications: waiting.unread_notifications,
    initials: initialsOf(row.tenant_name),
    color: colorOf(row.tenant_id),
    current: row.tenant_id === currentId,
  };
}
