import type { App } from "../../../../src/node/apps/apps/contract.ts";
import type { RuntimeStatus } from "../../../../src/node/apps/runtime/contract.ts";
import type { AlertEvent } from "../../../../src/node/monitoring/alerting/contract.ts";
import type { FilesystemEntry, SystemOverview } from "../../../../src/node/monitoring/system/contract.ts";
import { ago, inWords, percent } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";
import { wantsMemory } from "../../apps/apps/app-state.ts";
import { toneOf } from "../../monitoring/disks/tone.ts";
import { tellCause } from "./cause.ts";

/** What the home page needs to know to answer "is all well?". */
export interface Facts {
  host: string;
  apps: App[];
  runtime: RuntimeStatus | null;
  disks: FilesystemEntry[];
  /** Open ones. */
  alerts?: AlertEvent[];
  /** Null until it is known. */
  backup?: SystemOverview["backup"] | null;
}

/** The answer in one sentence, and one line that explains it. */
export interface Verdict {
  title: string;
  lede: string;
}

/** Says whether all is well, from real data only; what it counts is what `listNeeds` lists. */
export function judge(facts: Facts): Verdict {
  const { host, apps, runtime, disks } = facts;
  const needs = listNeeds(facts);
  if (runtime !== null && runtime.state !== "ok") {
    return { title: `${host} is up. Apps cannot run yet.`, lede: runtime.message };
  }
  if (apps.length === 0) {
    return {
      title: `${host} is ready for its first app.`,
      lede:
        needs.length > 0
          ? needsSentence(needs.length)
          : "Pick one from the store: it is downloaded, started and watched from here.",
    };
  }
  const failed = apps.filter((app) => app.status === "error");
  const shaky = apps.filter((app) => app.status === "degraded");
  const steady = apps.filter((app) => app.status === "running");
  const moving = apps.filter((app) =>
    ["installing", "starting", "updating", "rolling_back", "stopping", "uninstalling"].includes(app.status),
  );
  const full = disks.filter(({ usage_percent }) => toneOf(usage_percent) !== "");
  const title = [steadySentence(steady.length, apps.length), troubleSentence(failed, shaky)].filter(Boolean).join(" ");
  return { title, lede: explain({ host, failed, shaky, moving, full, needs }) };
}

function steadySentence(steady: number, all: number): string {
  if (steady === 0) return all === 1 ? "" : "No app is in orbit.";
  if (steady === all && all === 2) return "Both apps hold a steady orbit.";
  if (steady === all && all > 1) return `All ${inWords(all)} apps hold a steady orbit.`;
  return steady === 1 ? "One app holds a steady orbit." : `${inWords(steady, true)} apps hold a steady orbit.`;
}

function troubleSentence(failed: App[], shaky: App[]): string {
  const [first] = failed;
  if (first !== undefined)
    return failed.length === 1
      ? `${unbroken(first.display_name)} has dropped out.`
      : `${inWords(failed.length, true)} have dropped out.`;
  const [wobbly] = shaky;
  if (wobbly !== undefined)
    return shaky.length === 1 ? `${unbroken(wobbly.display_name)} wobbles.` : `${inWords(shaky.length, true)} wobble.`;
  return "";
}

/** A name that stays on one line. */
function unbroken(name: string): string {
  return name.replaceAll(" ", "\u00a0");
}

const needsSentence = (count: number): string =>
  count === 1 ? "One thing needs you: it is listed below." : `${inWords(count, true)} things need you, listed below.`;

function explain(parts: {
  host: string;
  failed: App[];
  shaky: App[];
  moving: App[];
  full: FilesystemEntry[];
  needs: readonly Need[];
}): string {
  const { host, failed, shaky, moving, full, needs } = parts;
  const app = failed[0] ?? shaky[0];
  const rest = needs.length > 1 ? needsSentence(needs.length) : `Everything else on ${host} is in order.`;
  // The cause names a container; the reader knows the name of the app.
  if (app?.cause) return `${app.display_name}: ${sentence(tellCause(app.cause).words)} ${rest}`;
  const [only] = needs;
  if (only?.fix.kind === "backups" && needs.length === 1) return `${only.title}. ${only.sub}`;
  if (full[0] !== undefined && needs.length === 1)
    return `The disk at ${full[0].mount_point} is ${percent(full[0].usage_percent)} full. Apps stop when it is full.`;
  if (needs.length > 0) return needsSentence(needs.length);
  if (moving.length === 1)
    return `${moving[0]?.display_name ?? ""} is on its way. You can leave this page, it keeps going.`;
  if (moving.length > 1)
    return `${inWords(moving.length, true)} more are on their way. You can leave this page, they keep going.`;
  return `Everything on ${host} is in order. Nothing needs you.`;
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

/** One thing that needs its owner, with the way to fix it. */
export interface Need {
  id: string;
  state: Extract<State, "crit" | "warn" | "info">;
  title: string;
  sub: string;
  /** The whole of what a program said, where `sub` has only its sense. */
  details: string | null;
  fix:
    | { kind: "retry" | "start" | "limits" | "logs"; app: App }
    | { kind: "storage" }
    | { kind: "runtime" }
    | { kind: "backups" }
    | { kind: "alert"; id: string };
}

/** What to do if that is known, else what happened; what a program said of it is folded. */
function reasonOf(step: string | null, cause: string | null, otherwise: string): Pick<Need, "sub" | "details"> {
  const told = cause === null ? null : tellCause(cause);
  return { sub: step ?? told?.words ?? otherwise, details: told?.details ?? null };
}

/** What needs attention, worst first. */
export function listNeeds({ apps, runtime, disks, alerts = [], backup = null }: Facts): Need[] {
  const needs: Need[] = [];
  if (runtime !== null && runtime.state !== "ok") {
    needs.push({
      id: "runtime",
      state: "crit",
      title: runtimeTitles[runtime.state],
      sub: runtime.next_step ?? runtime.message,
      details: null,
      fix: { kind: "runtime" },
    });
  }
  for (const app of apps) {
    if (app.status === "error") {
      // An app that never ran has a failed install behind it; one that did has stopped by itself.
      const kind = app.installed_at === null ? "retry" : "start";
      const title = kind === "retry" ? `${app.display_name} could not be installed` : `${app.display_name} was stopped`;
      needs.push({
        id: app.id,
        state: "crit",
        title,
        ...reasonOf(app.next_step, app.cause, "See its log for the reason"),
        fix: { kind: wantsMemory(app) ? "limits" : kind, app },
      });
    }
    if (app.status === "degraded") {
      needs.push({
        id: app.id,
        state: "warn",
        title: `${app.display_name} is degraded`,
        ...reasonOf(null, app.cause, app.next_step ?? "A part of it does not answer"),
        fix: { kind: "logs", app },
      });
    }
  }
  for (const disk of disks) {
    const state = toneOf(disk.usage_percent);
    if (state === "") continue;
    needs.push({
      id: disk.mount_point,
      state,
      title: `${disk.mount_point} is ${percent(disk.usage_percent)} full`,
      sub: "Apps stop when a disk is full",
      details: null,
      fix: { kind: "storage" },
    });
  }
  needs.push(...backupNeeds(backup), ...leftOutNeeds(backup, apps));
  needs.push(...alertNeeds(alerts, new Set(needs.map(({ id }) => id))));
  const order = { crit: 0, warn: 1, info: 2 };
  return needs.sort((a, b) => order[a.state] - order[b.state]);
}

/** Backups that were once made and are not to be relied on now; a server that never had any is not nagged. */
function backupNeeds(backup: SystemOverview["backup"] | null): Need[] {
  if (backup === null || (backup.status !== "failed" && backup.status !== "stale")) return [];
  const { status, last_success_at } = backup;
  const good = last_success_at === null ? null : ago(last_success_at);
  return [
    {
      id: "backups",
      state: good === null ? "crit" : "warn",
      title: status === "failed" ? "The newest backup did not finish" : "Backups are out of date",
      sub: `${good === null ? "There is no good one." : `The last good one is from ${good}.`} Back up now to be safe.`,
      details: null,
      fix: { kind: "backups" },
    },
  ];
}

/** Apps that backups are to have and are without; called as the alert is that tells of the same. */
function leftOutNeeds(backup: SystemOverview["backup"] | null, apps: readonly App[]): Need[] {
  const { left_out = null } = backup ?? {};
  return (left_out?.apps ?? []).map(({ id, name }) => ({
    id: `app_backup:${id}`,
    state: "warn",
    title: `Backups are without ${apps.find((app) => app.id === id)?.display_name ?? name}`,
    sub: left_out?.next_step ?? "",
    details: null,
    fix: { kind: "backups" },
  }));
}

const mostAlerts = 5;

/** Open alerts that nobody takes care of yet and that are not on the list for the same app or disk already. */
function alertNeeds(alerts: AlertEvent[], listed: ReadonlySet<string>): Need[] {
  return alerts
    .filter(({ acknowledged_at, entity }) => acknowledged_at === null && !listed.has(entity.replace(/^(app|fs):/, "")))
    .slice(0, mostAlerts)
    .map(({ id, severity, rule_name, message }) => ({
      id,
      state: severity === "critical" ? "crit" : severity === "warning" ? "warn" : "info",
      title: rule_name,
      ...reasonOf(null, message, ""),
      fix: { kind: "alert", id },
    }));
}

const runtimeTitles = {
  missing: "Docker is not installed",
  unreachable: "Docker does not answer",
  too_old: "Docker is too old",
  ok: "Docker is fine",
};
