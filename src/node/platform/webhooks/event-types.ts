import type { NodeEvents } from "../../events.ts";
import type { EventType } from "./contract.ts";

/** Subscribes to every type. */
export const EVERYTHING = "*";

/** Event types by what triggers them, as the contract words it. */
const TRIGGERS: Readonly<Record<string, string>> = {
  "app.installed": "A new app is installed from a template",
  "app.started": "An app starts",
  "app.stopped": "An app stops",
  "app.crashed": "An app ends unexpectedly",
  "app.uninstalled": "An app is removed",
  "app.updated": "An app is updated to a new version",
  "backup.started": "A backup begins",
  "backup.completed": "A backup finishes successfully",
  "backup.failed": "A backup fails",
  "backup.restored": "A restore completes",
  "alert.fired": "An alert rule’s threshold is breached",
  "alert.resolved": "An alert’s condition returns to normal",
  "domain.added": "A custom domain is configured",
  "domain.ssl_provisioned": "A certificate is issued for a domain",
  "domain.ssl_expiring": "A certificate nears its expiry",
  "vpn.peer_added": "A VPN peer is created",
  "vpn.peer_removed": "A VPN peer is deleted",
  "security.scan_completed": "A security scan finishes",
  "security.finding_critical": "A security scan finds something critical",
  "system.disk_warning": "Disk usage is above the warning threshold",
  "system.update_available": "A new version of this program is available",
};

/** All types that a webhook can subscribe to, in families. */
export const EVENT_TYPES: readonly EventType[] = Object.entries(TRIGGERS).map(([type, trigger]) => ({
  type,
  family: type.split(".", 1)[0] ?? "",
  trigger,
}));

/** True for events that webhooks can subscribe to. */
export const isEventType = (name: string): boolean => Object.hasOwn(TRIGGERS, name);

/** The `data` of the envelope: for events of apps exactly what the contract names, else what the event tells. */
export function presentData(data: NodeEvents[keyof NodeEvents]): object {
  if ("app_id" in data && "template" in data) {
    const { app_id, name, template, status } = data;
    return { app_id, name, template, status };
  }
  return data;
}
