import { toIso } from "../../../../lib/clock.ts";
import type { RuleInput } from "../contract.ts";
import type { Own } from "../needs.ts";
import { settleRule } from "./rule-input.ts";
import { claimStarters, saveRule } from "./rule-store.ts";

/** What most servers need and hardly anybody sets up in time. */
const STARTERS: readonly RuleInput[] = [
  {
    type: "threshold",
    name: "A disk is nearly full",
    metric: "used_percent",
    entity: "fs:*",
    op: ">=",
    threshold: 90,
    clear_threshold: 88,
    severity: "critical",
  },
  {
    type: "threshold",
    name: "A disk is filling up",
    metric: "used_percent",
    entity: "fs:*",
    op: ">=",
    threshold: 80,
    clear_threshold: 78,
    for: "15m",
  },
  {
    type: "threshold",
    name: "A disk runs out of inodes",
    metric: "inode_percent",
    entity: "fs:*",
    op: ">=",
    threshold: 90,
    clear_threshold: 88,
  },
  { type: "threshold", name: "Memory is nearly used up", metric: "mem_percent", threshold: 90, for: "10m" },
  { type: "threshold", name: "The processor is busy for long", metric: "cpu_percent", threshold: 90, for: "15m" },
  { type: "state", name: "A disk reports trouble", metric: "disk_health", severity: "critical" },
  { type: "state", name: "An app crashed", metric: "app_crashed" },
  { type: "state", name: "An app keeps crashing", metric: "app_crash_loop", severity: "critical", clear_for: 0 },
  { type: "state", name: "An app is left out of backups", metric: "backup_hollow", clear_for: 0 },
];

/** Makes the rules that every server begins with, once in its life: one that is deleted does not come back. */
export function makeStarters(deps: Pick<Own, "db" | "clock" | "ids" | "watched" | "baselines">): void {
  const { db, clock, ids } = deps;
  db.tx(() => {
    if (!claimStarters(db)) return;
    const created_at = toIso(clock.now());
    for (const input of STARTERS) {
      const { unit: _, ...rule } = settleRule(deps, input);
      saveRule(db, {
        ...rule,
        id: ids.next("rul"),
        starter: 1,
        created_by: null,
        created_at,
        updated_at: created_at,
      });
    }
  });
}
