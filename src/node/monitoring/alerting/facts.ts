import { isRecord } from "../../../lib/json.ts";
import { getApp } from "../../apps/apps/index.ts";
import { createHold } from "../maintenance/index.ts";
import { conditionOf, sustained } from "./condition.ts";
import { forgetEnds, noteEnd, settleLoop } from "./crash-loop.ts";
import { endEvent } from "./end-event.ts";
import { listOpenOfEntity } from "./event-store.ts";
import { deleteFacts, type Fact, findFact, listFacts, listFactsOf, logTurn, saveFact } from "./fact-store.ts";
import { judge } from "./judge.ts";
import { STATES } from "./metrics.ts";
import type { Presence } from "./presence.ts";
import { listEnabledRules } from "./rule-store.ts";
import { selects } from "./targets.ts";
import { type TellDeps, tellAbout } from "./tell.ts";

/** What an event says about something that can be good or bad; `gone` ends everything about an entity. */
type Word =
  | { metric: string; entity: string; name: string | null; bad: boolean; message: string }
  | { gone: string; ending: "entity_stopped" | "entity_removed" };

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const appOf = (data: Record<string, unknown>): string => `app:${text(data["app_id"]) || text(data["id"])}`;

const app = (data: Record<string, unknown>, bad: boolean, message = ""): Word => ({
  metric: "app_crashed",
  entity: appOf(data),
  name: text(data["name"]) || null,
  bad,
  message,
});
const backup = (bad: boolean, message = ""): Word => ({
  metric: "backup_failed",
  entity: "backup",
  name: "Backup",
  bad,
  message,
});
const certificate = (data: Record<string, unknown>, bad: boolean): Word => ({
  metric: "certificate",
  entity: `domain:${text(data["domain"])}`,
  name: text(data["domain"]),
  bad,
  message: `The certificate of ${text(data["domain"])} expires soon and was not renewed.`,
});

/** By event name; names of features that a node does not have simply never come. */
const WORDS: Record<string, (data: Record<string, unknown>) => Word | null> = {
  "app.crashed": (data) => app(data, true, `${text(data["name"])} crashed: ${text(data["cause"])}`),
  "app.started": (data) => app(data, false),
  "app.status_changed": (data) => (data["status"] === "running" ? app(data, false) : null),
  "app.stopped": (data) => ({ gone: appOf(data), ending: "entity_stopped" }),
  "app.uninstalled": (data) => ({ gone: appOf(data), ending: "entity_removed" }),
  "app.removed": (data) => ({ gone: appOf(data), ending: "entity_removed" }),
  "backup.failed": (data) => backup(true, `A backup failed. ${text(data["error"]) || text(data["message"])}`.trim()),
  "backup.completed": () => backup(false),
  "disk.health_changed": (data) => {
    const device = text(data["device"]);
    const model = text(data["model"]);
    if (typeof data["healthy"] !== "boolean") return null;
    return {
      metric: "disk_health",
      entity: `disk:${device}`,
      name: model === "" ? device : `${device} (${model})`,
      bad: !data["healthy"],
      message: `The disk ${device} reports: ${text(data["status"])}. Copy what matters from it while it still answers.`,
    };
  },
  "domain.ssl_expiring": (data) => certificate(data, true),
  "domain.ssl_provisioned": (data) => certificate(data, false),
};

/** Takes in an event, in the transaction of whoever emits it: a crash right after loses nothing. */
export function hearEvent(deps: TellDeps, name: string, data: unknown): void {
  const { db, clock } = deps;
  const now = clock.now();
  if (name === "app.service_ended") hearEnd(deps, data, now);
  const word = isRecord(data) ? WORDS[name]?.(data) : undefined;
  if (!word) return;
  db.tx(() => {
    if ("gone" in word) {
      for (const fact of listFactsOf(db, word.gone)) if (fact.bad) logTurn(db, { ...fact, bad: null, at: now });
      forgetEnds(deps, word.gone);
      deleteFacts(db, word.gone);
      for (const event of listOpenOfEntity(db, word.gone)) endEvent(deps, event, word.ending, now);
      tellAbout(deps, { entity: word.gone }, now);
      return;
    }
    const known = findFact(db, word.metric, word.entity);
    // What was never bad need not be known to be good.
    if (!word.bad && !known?.bad) return;
    const entity_name = word.name ?? known?.entity_name ?? word.entity;
    const fact = { ...word, entity_name, message: word.bad ? word.message : (known?.message ?? ""), at: now };
    saveFact(db, fact);
    if (word.bad !== (known?.bad ?? false)) logTurn(db, fact);
    judgeFacts(deps, now);
    tellAbout(deps, { entity: word.entity }, now);
  });
}

function hearEnd(deps: TellDeps, data: unknown, now: number): void {
  deps.db.tx(() => {
    if (!noteEnd(deps, data, now)) return;
    judgeFacts(deps, now);
    if (isRecord(data)) tellAbout(deps, { entity: appOf(data) }, now);
  });
}

/** An app that Docker started again at once has no event for that. */
function refresh(deps: TellDeps, known: Fact, now: number): Fact {
  const fact = settleLoop(deps, known, now);
  if (fact.metric !== "app_crashed" || !fact.bad) return fact;
  try {
    if (getApp(deps, fact.entity.slice(4)).status !== "running" || deps.clock.now() - fact.at < 1000) return fact;
  } catch {
    return fact;
  }
  const better = { ...fact, bad: false };
  saveFact(deps.db, better);
  logTurn(deps.db, { ...better, at: now });
  return better;
}

const always: Presence = () => true;

/** Judges state rules by what is known of things that are there; inside the caller's transaction. */
export function judgeFacts(deps: TellDeps, now: number, isThere: Presence = always): void {
  const { db } = deps;
  const rules = listEnabledRules(db).filter(({ type }) => type === "state");
  if (rules.length === 0) return;
  const holds = createHold(db, now);
  for (const { name: metric } of STATES) {
    const facts = listFacts(db, metric).map((fact) => refresh(deps, fact, now));
    for (const rule of rules.filter((one) => one.metric === metric)) {
      for (const { entity, entity_name, bad, message } of facts) {
        if (!selects(rule.entity, entity) || (bad && !isThere(entity))) continue;
        const of = { rule, entity, name: entity_name, message, held: holds(rule.id) };
        judge(deps, of, (state) => sustained(bad ? 1 : 0, state, conditionOf(rule), now), now);
      }
    }
  }
}
