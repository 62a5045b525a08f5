/** Events of chapters to come, which webhooks and alert rules offer already. Whoever builds a chapter takes its lines along. */
import type { AlertWord, EventMeanings, NodeFeature } from "./event-meaning.ts";
import type { Watched } from "./watched.ts";

/** What is known of their payloads by now. */
type AnnouncedEvents = {
  "app.updated": object;
  "backup.started": object;
  "backup.completed": object;
  "backup.failed": { error?: string; message?: string };
  "backup.restored": object;
  "domain.added": object;
  "domain.ssl_provisioned": { domain: string };
  "domain.ssl_expiring": { domain: string };
  "vpn.peer_added": object;
  "vpn.peer_removed": object;
  "security.scan_completed": object;
  "security.finding_critical": object;
  "system.update_available": object;
};

const hook = (trigger: string) => ({ webhook: { trigger } });

const backup = (bad: boolean, message = ""): AlertWord => ({
  metric: "backup_failed",
  entity: "backup",
  name: "Backup",
  bad,
  message,
});

const certificate = ({ domain }: { domain: string }, bad: boolean): AlertWord => ({
  metric: "certificate",
  entity: `domain:${domain}`,
  name: domain,
  bad,
  message: `The certificate of ${domain} expires soon and was not renewed.`,
});

const announcedMeanings: EventMeanings<AnnouncedEvents> = {
  "app.updated": hook("An app is updated to a new version"),
  "backup.started": hook("A backup begins"),
  "backup.completed": { ...hook("A backup finishes successfully"), alert: () => backup(false) },
  "backup.failed": {
    ...hook("A backup fails"),
    alert: ({ error, message }) => backup(true, `A backup failed. ${error || message || ""}`.trim()),
  },
  "backup.restored": hook("A restore completes"),
  "domain.added": hook("A custom domain is configured"),
  "domain.ssl_provisioned": {
    ...hook("A certificate is issued for a domain"),
    alert: (data) => certificate(data, false),
  },
  "domain.ssl_expiring": {
    ...hook("A certificate nears its expiry"),
    alert: (data) => certificate(data, true),
  },
  "vpn.peer_added": hook("A VPN peer is created"),
  "vpn.peer_removed": hook("A VPN peer is deleted"),
  "security.scan_completed": hook("A security scan finishes"),
  "security.finding_critical": hook("A security scan finds something critical"),
  "system.update_available": hook("A new version of this program is available"),
};

export const announcedFeature: NodeFeature = { name: "announced", events: announcedMeanings };

/** What alert rules can be about already. */
export const announcedThings: Watched = {
  kinds: [
    { kind: "backup", isSingle: true, any: "backup" },
    { kind: "domain", any: "any domain" },
  ],
  states: [
    { kind: "backup", name: "backup_failed", label: "Failed backup", title: "A backup failed" },
    { kind: "domain", name: "certificate", label: "Certificate", title: "A certificate expires soon" },
  ],
};
