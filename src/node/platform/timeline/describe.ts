import type { NodeEvents } from "../../events.ts";
import type { Severity, TimelineCategory } from "./contract.ts";

/** An event as the timeline tells it. */
export interface Told {
  category: TimelineCategory;
  severity: Severity;
  title: string;
  /** Kind and id; absent for the server itself. */
  subject?: readonly [kind: string, id: string];
  /** Page of the dashboard. */
  link?: string;
  /** Who sees it besides admins: everybody, or the user it is about; nobody when absent. */
  audience?: "everybody" | { user_id: string };
  /** Worth a notification. */
  isInbox?: boolean;
  /** Repeats that share this text are counted together for a while. */
  fold?: string;
}

/** Names of users by id. */
export type NameOf = (userId: string) => string;

type Tell<Data> = (data: Data, nameOf: NameOf) => Told | null;
export type Telling = { [Name in keyof NodeEvents]?: Tell<NodeEvents[Name]> };

type App = NodeEvents["app.installed"];

/** With the one who asked for it, or what is seen when nobody did. */
function appTitle(what: string, { name, by }: App, nameOf: NameOf, byItself = what): string {
  return by ? `${name} ${what} by ${nameOf(by.user_id)}` : `${name} ${byItself}`;
}

/** Something that happened to an app; everybody sees it. */
function ofApp(what: string, byItself: string, rest: Partial<Told> = {}): Tell<App> {
  return (event, nameOf) => ({
    category: "app",
    severity: "info",
    title: appTitle(what, event, nameOf, byItself),
    subject: ["app", event.app_id],
    link: `/apps/${event.app_id}`,
    audience: "everybody",
    ...rest,
  });
}

export const tellApps: Telling = {
  "app.installed": ofApp("was installed", "was installed", { isInbox: true }),
  "app.started": ofApp("was started", "started"),
  "app.stopped": ofApp("was stopped", "stopped"),
  "app.uninstalled": (event, nameOf) => ({
    category: "app",
    severity: "info",
    title: appTitle("was uninstalled", event, nameOf),
    subject: ["app", event.app_id],
    audience: "everybody",
  }),
  "app.data_deleted": ({ app_id, name, user_id }, nameOf) => ({
    category: "app",
    severity: "info",
    title: `The kept data of ${name} was deleted by ${nameOf(user_id)}`,
    subject: ["app", app_id],
  }),
  "app.crashed": ({ app_id, name, cause }) => ({
    category: "app",
    severity: "critical",
    title: `${name} crashed: ${cause}`,
    subject: ["app", app_id],
    link: `/apps/${app_id}`,
    audience: "everybody",
    isInbox: true,
    fold: `crash ${app_id}`,
  }),
  "operation.changed": ({ status, title, subject_id, kind, error }) =>
    status !== "failed"
      ? null
      : {
          category: "app",
          severity: "warning",
          title: `${title} failed: ${error?.message ?? "no reason was given"}`,
          subject: [kind.split(".", 1)[0] ?? "operation", subject_id],
          ...(kind.startsWith("app") ? { link: `/apps/${subject_id}` } : {}),
          audience: "everybody",
          isInbox: true,
        },
};

export const tellSystem: Telling = {
  "system.node_started": ({ version, before }) => {
    if (before !== null && before !== version) {
      return {
        category: "update",
        severity: "info",
        title: `Orrery was updated from ${before} to ${version}`,
        audience: "everybody",
        isInbox: true,
      };
    }
    return { category: "system", severity: "info", title: `Orrery ${version} started`, audience: "everybody" };
  },
  "system.clock_jumped": ({ by_seconds }) => ({
    category: "system",
    severity: "warning",
    title: `The server's clock jumped ${by_seconds > 0 ? "forward" : "back"} by ${spanOf(Math.abs(by_seconds))}`,
    audience: "everybody",
  }),
  // Not for the inbox: an alert rule of every new server says the same.
  "system.disk_warning": ({ device, mount_point, used_percent }) => ({
    category: "system",
    severity: "warning",
    title: `${mount_point} is ${Math.floor(used_percent)}% full`,
    subject: ["filesystem", mount_point],
    link: device === null ? "/disks" : `/disks?disk=${encodeURIComponent(device)}`,
    audience: "everybody",
  }),
  "disk.health_changed": ({ device, model, status, healthy }) => ({
    category: "system",
    severity: status === "Failing" ? "critical" : healthy ? "info" : "warning",
    title: `Disk ${model ?? device} ${diskWords(status, healthy)}`,
    subject: ["disk", device],
    link: "/disks",
    audience: "everybody",
    isInbox: true,
  }),
  "settings.changed": ({ actor_id, keys }, nameOf) => ({
    category: "system",
    severity: "info",
    title: `${nameOf(actor_id)} changed the settings ${keys.join(", ")}`,
    link: "/settings",
  }),
};

function diskWords(status: string, healthy: boolean | null): string {
  if (healthy) return "is healthy again";
  return status === "Failing" ? "is failing: back up what is on it" : `needs a look: ${status}`;
}

/** A length of time in the largest unit of which it has two. */
function spanOf(seconds: number): string {
  const [size, unit] = UNITS.find(([length]) => seconds >= 2 * length) ?? [1, "second"];
  return `${Math.round(seconds / size)} ${unit}s`;
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];
