/**
 * Events of chapters to come. Webhooks may subscribe to them already, because the contract names them; none is offered, because
 * nothing tells of them yet. Whoever builds a chapter takes its lines along.
 */
import type { EventMeanings, NodeFeature } from "./event-meaning.ts";

/** What is known of their payloads by now. */
type AnnouncedEvents = {
  "domain.added": object;
  "domain.ssl_provisioned": object;
  "domain.ssl_expiring": object;
  "vpn.peer_added": object;
  "vpn.peer_removed": object;
  "security.scan_completed": object;
  "security.finding_critical": object;
  "system.update_available": object;
};

const hook = (trigger: string) => ({ webhook: { trigger, isToCome: true } });

const announcedMeanings: EventMeanings<AnnouncedEvents> = {
  "domain.added": hook("A custom domain is configured"),
  "domain.ssl_provisioned": hook("A certificate is issued for a domain"),
  "domain.ssl_expiring": hook("A certificate nears its expiry"),
  "vpn.peer_added": hook("A VPN peer is created"),
  "vpn.peer_removed": hook("A VPN peer is deleted"),
  "security.scan_completed": hook("A security scan finishes"),
  "security.finding_critical": hook("A security scan finds something critical"),
  "system.update_available": hook("A new version of this program is available"),
};

export const announcedFeature: NodeFeature = { name: "announced", events: announcedMeanings };
