import { days } from "../../../../lib/duration.ts";
import { listAppNames, listApps, listRunning } from "../../../apps/apps/index.ts";
import type { NodeContext } from "../../../context.ts";
import { nodeName } from "../../system/index.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { kindOf } from "./watched.ts";

type Deps = Pick<NodeContext, "db" | "clock" | "series" | "settings" | "host">;

/** An entity with its name for people. */
export interface Target {
  entity: string;
  name: string;
}

/** What can be measured now. */
export interface World {
  /** Entities of the series by kind that had data in the last day. */
  ofKind(kind: "app" | "iface" | "fs"): readonly Target[];
  nameOf(entity: string): string;
  /** True when silence about the entity is worth telling: a stopped app has none to give. */
  isExpected(entity: string): boolean;
}

/** Looks at what there is, each kind once and only when asked. */
export function createWorld(deps: Deps): World {
  const { db, clock, series } = deps;
  const names = new Map(listAppNames(db).map(({ id, name }) => [`app:${id}`, name]));
  const known = new Map<string, readonly Target[]>();
  let running: Set<string> | null = null;

  function nameOf(entity: string): string {
    if (entity === "host") return nodeName(deps);
    return names.get(entity) ?? entity.slice(entity.indexOf(":") + 1);
  }
  return {
    nameOf,
    ofKind(kind) {
      const found = known.get(kind);
      if (found) return found;
      const since = clock.now() - days(1);
      const list = series
        .entities(kind)
        .filter(({ entity, last_ms }) => last_ms >= since && (kind !== "app" || names.has(entity)))
        .map(({ entity }) => ({ entity, name: nameOf(entity) }));
      known.set(kind, list);
      return list;
    },
    isExpected(entity) {
      if (!entity.startsWith("app:")) return true;
      running ??= new Set(listRunning(db).map((row) => `app:${row.app_id}`));
      return running.has(entity);
    },
  };
}

/** Tells apps that were taken away or stopped: what was measured of them before says nothing about now. */
export function createAppCheck(db: Deps["db"]): (entity: string) => boolean {
  const alive = new Set(listApps(db).flatMap(({ id, status }) => (status === "stopped" ? [] : [`app:${id}`])));
  return (entity) => entity.startsWith("app:") && !alive.has(entity);
}

/** What a rule over measured values is about now. */
export function targetsOf(rule: Pick<RuleRow, "entity">, world: World): readonly Target[] {
  const kind = kindOf(rule.entity);
  const isWhole = rule.entity === `${kind}:*`;
  if (isWhole && (kind === "app" || kind === "iface" || kind === "fs")) return world.ofKind(kind);
  return isWhole ? [] : [{ entity: rule.entity, name: world.nameOf(rule.entity) }];
}

/** True when a selector means the entity. */
export function selects(selector: string, entity: string): boolean {
  const kind = kindOf(selector);
  if (selector === entity || kind === "host" || kind === "backup") return kindOf(entity) === kind;
  return selector === `${kind}:*` && kindOf(entity) === kind;
}
