import { minutes as minutesMs } from "../../../../lib/duration.ts";
import { endEvent } from "../events/end-event.ts";
import { listOpenOfRule } from "../events/event-store.ts";
import type { Own } from "../needs.ts";
import { readChannels } from "../rules/rule-input.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { isWhole } from "../watched/watched.ts";
import { targetsOf, type World } from "../watched/world.ts";
import { conditionOf } from "./condition.ts";
import { judge, NO_DATA } from "./judge.ts";
import type { Round, Task } from "./judge-minute.ts";
import { readSample } from "./minutes.ts";

type Deps = Pick<Own, "db" | "ids" | "watched">;

const SILENT_S = 300;

function noDataRule(channels: string[] | "all", metric: string): RuleRow {
  return {
    id: NO_DATA,
    name: "No data",
    type: "absence",
    metric,
    entity: "host",
    op: ">=",
    threshold: SILENT_S,
    clear_threshold: SILENT_S,
    for_s: SILENT_S,
    clear_for_s: 0,
    sensitivity: 2,
    cooldown_s: 3600,
    repeat_s: 0,
    severity: "warning",
    channel_ids: JSON.stringify(channels),
    enabled: 1,
    template: null,
    starter: 0,
    created_by: null,
    created_at: "",
    updated_at: "",
  };
}

/** Entities that rules wait for, each with the channels of those rules and a metric that shows whether it speaks. */
function waitedFor(deps: Deps, rules: readonly RuleRow[], world: World) {
  const found = new Map<string, { metric: string; channels: string[] | "all"; name: string }>();
  for (const rule of rules) {
    if (rule.type === "absence" || rule.type === "anomaly") continue;
    // One of many may go without a word, such as a mount; one that is named is missed.
    if (isWhole(rule.entity) && deps.watched.kindOf(rule.entity)?.isFleeting) continue;
    const channels = readChannels(rule.channel_ids);
    for (const { entity, name } of targetsOf(deps, rule, world)) {
      const known = found.get(entity);
      const all = channels === "all" || known?.channels === "all";
      const joined = all ? "all" : [...new Set([...(known?.channels ?? []), ...channels])];
      found.set(entity, { metric: known?.metric ?? rule.metric, channels: joined, name });
    }
  }
  return found;
}

/**
 * One event for each entity that rules watch and that has been silent for five minutes: their rules hold still
 * meanwhile, and nobody would notice. It ends with the first data, or when nobody waits for any.
 */
export function silenceTasks(deps: Deps, rules: readonly RuleRow[], round: Round): Task[] {
  const { at, cache, world, since, holds } = round;
  const waiting = [...waitedFor(deps, rules, world)].filter(([entity]) => world.isExpected(entity));
  return waiting.map(([entity, { metric, channels, name }]) => {
    const rule = noDataRule(channels, deps.watched.kindOf(entity)?.vital ?? metric);
    const condition = conditionOf(rule);
    const options = { spanMs: minutesMs(5), knownFrom: since, settling: false };
    return {
      rule,
      entity,
      run: () =>
        judge(
          deps,
          { rule, entity, name, held: holds(null) },
          () => readSample(cache.of(entity, rule.metric), "silence", at, condition, options),
          at,
        ),
    };
  });
}

/** Ends what was missed of entities that nobody waits for any more; inside the caller's transaction. */
export function endUnwatched({ db }: Pick<Own, "db">, waiting: ReadonlySet<string>, at: number): void {
  for (const event of listOpenOfRule(db, NO_DATA)) {
    if (!waiting.has(event.entity)) endEvent({ db }, event, "entity_removed", at);
  }
}
