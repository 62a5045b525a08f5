import { days } from "../../../../lib/duration.ts";
import type { WatchedKind } from "../../../watched.ts";
import type { Own } from "../needs.ts";
import type { RuleRow } from "../rules/rule-store.ts";
import { idOf, isWhole, type WatchedBook } from "./watched.ts";

/** An entity with its name for people. */
export interface Target {
  entity: string;
  name: string;
}

/** What can be measured now. */
export interface World {
  /** Entities of the series by kind that had data in the last day. */
  ofKind(kind: WatchedKind): readonly Target[];
  nameOf(entity: string): string;
  /** True when silence about the entity is worth telling: a stopped app has none to give. */
  isExpected(entity: string): boolean;
}

/** Asks each kind once, and only when something of it is asked about. */
function oncePerKind<Answer>(
  { kindOf }: WatchedBook,
  ask: (kind: WatchedKind) => Answer | undefined,
): (entity: string) => Answer | undefined {
  const known = new Map<WatchedKind, Answer | undefined>();
  return (entity) => {
    const kind = kindOf(entity);
    if (!kind) return undefined;
    if (!known.has(kind)) known.set(kind, ask(kind));
    return known.get(kind);
  };
}

/** Looks at what there is. */
export function createWorld({ clock, series, watched }: Pick<Own, "clock" | "series" | "watched">): World {
  const namesOf = oncePerKind(watched, (kind) => kind.names?.());
  const speaking = oncePerKind(watched, (kind) => kind.speaking?.());
  const known = new Map<WatchedKind, readonly Target[]>();
  const nameOf = (entity: string): string => namesOf(entity)?.get(idOf(entity)) ?? idOf(entity);
  return {
    nameOf,
    ofKind(kind) {
      const found = known.get(kind);
      if (found) return found;
      const since = clock.now() - days(1);
      const list = series
        .entities(kind.kind)
        .filter(({ entity, last_ms }) => last_ms >= since && namesOf(entity)?.has(idOf(entity)) !== false)
        .map(({ entity }) => ({ entity, name: nameOf(entity) }));
      known.set(kind, list);
      return list;
    },
    isExpected: (entity) => speaking(entity)?.has(idOf(entity)) !== false,
  };
}

/** Tells what was taken away or stopped: what was measured of it before says nothing about now. */
export function createIdleCheck({ watched }: Pick<Own, "watched">): (entity: string) => boolean {
  const active = oncePerKind(watched, (kind) => kind.active?.());
  return (entity) => active(entity)?.has(idOf(entity)) === false;
}

/** Whether a thing is part of this server right now. */
export type Presence = (entity: string) => boolean;

/** Looks where the kernel lists them, each list once; what nobody looks for counts as there. */
export function createPresence({ watched }: Pick<Own, "watched">): Presence {
  const looks = oncePerKind(watched, (kind) => kind.look?.());
  return (entity) => looks(entity)?.(idOf(entity)) !== false;
}

/** What a rule over measured values is about now. */
export function targetsOf(
  { watched }: Pick<Own, "watched">,
  { entity }: Pick<RuleRow, "entity">,
  world: World,
): readonly Target[] {
  if (!isWhole(entity)) return [{ entity, name: world.nameOf(entity) }];
  const kind = watched.kindOf(entity);
  return kind ? world.ofKind(kind) : [];
}

/** True when a selector means the entity. */
export function selects({ watched }: Pick<Own, "watched">, selector: string, entity: string): boolean {
  const kind = watched.kindOf(selector);
  if (selector !== entity && !isWhole(selector) && !kind?.isSingle) return false;
  return watched.kindOf(entity) === kind;
}
