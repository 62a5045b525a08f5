import { minutes } from "../../../lib/duration.ts";
import { liveForAll, onRecord } from "../../event-lines.ts";
import type { AlertWord, AuditLine, EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { AppEvent, AppEvents } from "./contract.ts";

/** What people did to an app; what came about by itself is the timeline's. */
function audit({ by, ...details }: AppEvent): AuditLine | null {
  if (by === undefined) return null;
  const { user_id, ip, purpose } = by;
  const why = purpose === undefined ? {} : { purpose };
  return { resource: `app:${details.app_id}`, details: { ...details, user_id, ...why }, ip_address: ip };
}

/** With what it was done for or else the one who asked for it, or what is seen when nobody did. */
function appTitle(what: string, { name, by }: AppEvent, nameOf: NameOf, byItself = what): string {
  if (by === undefined) return `${name} ${byItself}`;
  return `${name} ${what} ${by.purpose === undefined ? `by ${nameOf(by.user_id)}` : `for ${by.purpose}`}`;
}

/** Something that happened to an app; everybody sees it. */
function ofApp(what: string, byItself: string, rest: Partial<TimelineLine> = {}) {
  return (event: AppEvent, nameOf: NameOf): TimelineLine => ({
    category: "app",
    severity: "info",
    title: appTitle(what, event, nameOf, byItself),
    subject: ["app", event.app_id],
    link: `/apps/${event.app_id}`,
    audience: "everybody",
    ...rest,
  });
}

/** What webhooks tell of an app: exactly what the contract names. */
const told = (trigger: string) => ({
  trigger,
  present: ({ app_id, name, template, status }: AppEvent) => ({ app_id, name, template, status }),
});

const crashed = (id: string, name: string | null, bad: boolean, message = ""): AlertWord => ({
  metric: "app_crashed",
  entity: `app:${id}`,
  name,
  bad,
  message,
});

export const appMeanings: EventMeanings<AppEvents> = {
  "app.dump_downloaded": { audit },
  "app.installed": {
    audit,
    change: {},
    timeline: ofApp("was installed", "was installed", { isInbox: true }),
    webhook: told("A new app is installed from a template"),
  },
  "app.started": {
    audit,
    change: {},
    timeline: ofApp("was started", "started"),
    webhook: told("An app starts"),
    alert: ({ app_id, name }) => crashed(app_id, name, false),
  },
  "app.stopped": {
    audit,
    change: {},
    timeline: ofApp("was stopped", "stopped"),
    webhook: told("An app stops"),
    alert: ({ app_id }) => ({ gone: `app:${app_id}`, ending: "entity_stopped" }),
  },
  "app.crashed": {
    timeline: ({ app_id, name, cause }) => ({
      category: "app",
      severity: "critical",
      title: `${name} crashed: ${cause}`,
      subject: ["app", app_id],
      link: `/apps/${app_id}`,
      audience: "everybody",
      isInbox: true,
      fold: `crash ${app_id}`,
    }),
    webhook: told("An app ends unexpectedly"),
    alert: ({ app_id, name, cause }) => crashed(app_id, name, true, `${name} crashed: ${cause}`),
  },
  "app.service_ended": {
    alertCount: {
      metric: "app_crash_loop",
      counted: "app_ended",
      limit: 3,
      within_ms: minutes(10),
      count: ({ app_id, name, restarts }) => ({ entity: `app:${app_id}`, name, times: restarts }),
      message: ({ name, service }, count) =>
        `${name} keeps crashing: ${service} ended ${count} times within 10 minutes. Its log says why.`,
    },
  },
  "app.configured": {
    audit,
    change: {},
    timeline: (event, nameOf) =>
      ofApp(
        `was changed (${event.changes.slice(0, 3).join("; ")}${event.changes.length > 3 ? " …" : ""})`,
        "was changed",
      )(event, nameOf),
  },
  "app.secrets_restored": {
    timeline: ({ app_id, name, labels, cause }) => ({
      category: "app",
      severity: "warning",
      title: `${name} did not work with what was renewed and has the former value again (${labels.join(", ")}): ${cause}`,
      subject: ["app", app_id],
      link: `/apps/${app_id}`,
      audience: "everybody",
      isInbox: true,
    }),
  },
  "app.uninstalled": {
    audit,
    change: {},
    timeline: (event, nameOf) => ({
      category: "app",
      severity: "info",
      title: appTitle("was uninstalled", event, nameOf),
      subject: ["app", event.app_id],
      audience: "everybody",
    }),
    webhook: told("An app is removed"),
    alert: ({ app_id }) => ({ gone: `app:${app_id}`, ending: "entity_removed" }),
  },
  // The timeline tells it of the operation.
  "app.work_failed": { audit },
  "app.updated": {
    audit,
    change: {},
    timeline: (event, nameOf) =>
      ofApp(`was updated from ${event.from} to ${event.to}`, `was updated from ${event.from} to ${event.to}`)(
        event,
        nameOf,
      ),
    webhook: told("An app is updated to a new version"),
  },
  "app.rolled_back": {
    audit,
    change: {},
    timeline: (event, nameOf) => ofApp(`was brought back to ${event.to}`, `is back on ${event.to}`)(event, nameOf),
  },
  "app.update_failed": {
    audit,
    timeline: ({ app_id, name, from, to, cause }) => ({
      category: "app",
      severity: "warning",
      title: `${name} did not come up with ${to} and is back on ${from}: ${cause}`,
      subject: ["app", app_id],
      link: `/apps/${app_id}`,
      audience: "everybody",
      isInbox: true,
    }),
  },
  "app.update_chosen": {
    audit,
    timeline: ({ choice, to, ...event }, nameOf) => {
      const what = {
        skip: `is not to be updated to ${to}, as decided`,
        tonight: `is to be updated to ${to} in the coming night, as wished`,
        none: `can be updated to ${to} again, as decided`,
      };
      return ofApp(what[choice], what[choice])(event, nameOf);
    },
  },
  "app.update_not_begun": {
    timeline: ({ app_id, name, to, cause }) => ({
      category: "app",
      severity: "warning",
      title: `${name} was not updated to ${to} in the night: ${cause}`,
      subject: ["app", app_id],
      link: `/apps/${app_id}`,
      audience: "everybody",
      isInbox: true,
    }),
  },
  "app.status_changed": {
    live: () => ({ name: "app.status", audience: "everybody" }),
    alert: ({ id, status }) => (status === "running" ? crashed(id, null, false) : null),
  },
  "app.removed": {
    live: liveForAll,
    alert: ({ id }) => ({ gone: `app:${id}`, ending: "entity_removed" }),
  },
  "app.data_deleted": {
    audit: onRecord(({ app_id }) => `app:${app_id}`),
    timeline: ({ app_id, name, user_id }, nameOf) => ({
      category: "app",
      severity: "info",
      title: `The kept data of ${name} was deleted by ${nameOf(user_id)}`,
      subject: ["app", app_id],
    }),
  },
};
