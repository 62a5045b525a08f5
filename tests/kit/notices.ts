import type { Notice } from "../../src/node/monitoring/alert-channels/contract.ts";

/** An alert about a disk, with what a test wants otherwise. */
export function makeNotice(changes: Partial<Notice> = {}): Notice {
  return {
    event_id: "evt_1",
    type: "threshold",
    rule_id: "rul_1",
    rule_name: "Disk almost full",
    severity: "critical",
    entity: "fs:/",
    entity_name: "/",
    metric: "used_percent",
    value: 93.42,
    threshold: 90,
    unit: "percent",
    message: "The disk at / is filling up.",
    started_at: "2026-01-01T00:00:00.000Z",
    resolved_at: null,
    peak: null,
    duration_seconds: null,
    ...changes,
  };
}
