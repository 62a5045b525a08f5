import type { EventMeanings } from "../../event-meaning.ts";
import type { DiskEvents } from "./contract.ts";

function healthWords(status: string, healthy: boolean | null): string {
  if (healthy) return "is healthy again";
  return status === "Failing" ? "is failing: back up what is on it" : `needs a look: ${status}`;
}

export const diskMeanings: EventMeanings<DiskEvents> = {
  "disk.health_changed": {
    timeline: ({ device, model, status, healthy }) => ({
      category: "system",
      severity: status === "Failing" ? "critical" : healthy ? "info" : "warning",
      title: `Disk ${model ?? device} ${healthWords(status, healthy)}`,
      subject: ["disk", device],
      link: "/disks",
      audience: "everybody",
      isInbox: true,
    }),
    alert: ({ device, model, status, healthy }) =>
      healthy === null
        ? null
        : {
            metric: "disk_health",
            entity: `disk:${device}`,
            name: model ? `${device} (${model})` : device,
            bad: !healthy,
            message: `The disk ${device} reports: ${status}. Copy what matters from it while it still answers.`,
          },
  },
  "system.disk_warning": {
    // Not for the inbox: an alert rule of every new server says the same.
    timeline: ({ device, mount_point, used_percent }) => ({
      category: "system",
      severity: "warning",
      title: `${mount_point} is ${Math.floor(used_percent)}% full`,
      subject: ["filesystem", mount_point],
      link: device === null ? "/disks" : `/disks?disk=${encodeURIComponent(device)}`,
      audience: "everybody",
    }),
    webhook: { trigger: "Disk usage is above the warning threshold" },
  },
};
