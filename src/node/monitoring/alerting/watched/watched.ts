import type { List } from "../../../../kernel/list.ts";
import type { Watched, WatchedKind, WatchedMetric, WatchedState } from "../../../watched.ts";

/** What a rule is about: a figure that is measured, or a state that events tell of. */
export type Subject = WatchedMetric | WatchedState;

/** All that features have said of things to watch. */
export interface WatchedBook {
  kinds(): readonly WatchedKind[];
  /** What threshold, rate, absence and anomaly rules can watch. */
  metrics(): readonly WatchedMetric[];
  /** What state rules can watch, by kind. */
  states(): readonly WatchedState[];
  /** The kind of an entity or of a selector such as `app:*`; null for a text that is neither. */
  kindOf(entity: string): WatchedKind | null;
  /** The name in full of one that may be a short one. */
  fullName(metric: string): string;
}

/** A unit as the API, channels and webhooks tell it: null for figures without one. */
export const tellUnit = (unit: string): string | null => (unit === "none" ? null : unit);

/** The unit of what a rule is about; states have none. */
export const unitOf = (subject: Subject): WatchedMetric["unit"] => ("unit" in subject ? subject.unit : "none");

/** The part of an entity's name behind its kind; the whole of it where there is only one of the kind. */
export const idOf = (entity: string): string => entity.slice(entity.indexOf(":") + 1);

/** True for a selector that means everything of its kind. */
export const isWhole = (selector: string): boolean => /^[^:]+:\*$/.test(selector);

/** The one of that name and kind, or of the first kind that has it; null when there is none. `name` is in full. */
export const findSubject = <Item extends Subject>(
  list: readonly Item[],
  name: string,
  kind: string | null,
): Item | null => list.find((one) => one.name === name && (kind === null || one.kind === kind)) ?? null;

/** The selector a rule gets when it names none. */
export const defaultEntity = ({ kind, isSingle }: WatchedKind): string => (isSingle ? kind : `${kind}:*`);

/** A book of the list, read when first asked: then every feature has added its own. */
export function createWatchedBook(list: List<Watched>): WatchedBook {
  let read: ReturnType<typeof readAll> | null = null;
  const all = () => {
    read ??= readAll(list.all());
    return read;
  };
  return {
    kinds: () => [...all().kinds.values()],
    metrics: () => all().metrics,
    states: () => all().states,
    kindOf(entity) {
      const [head = "", ...rest] = entity.split(":");
      const kind = all().kinds.get(head);
      if (!kind) return null;
      const fits = kind.isSingle ? rest.length === 0 || rest[0] === "*" : rest.join(":") !== "";
      return fits ? kind : null;
    },
    fullName: (metric) => all().aliases.get(metric) ?? metric,
  };
}

function readAll(given: readonly Watched[]) {
  const metrics = given.flatMap((one) => one.metrics ?? []);
  const kinds = given.flatMap((one) => one.kinds ?? []);
  return {
    kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
    metrics,
    states: given
      .flatMap((one) => one.states ?? [])
      .toSorted((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind))),
    aliases: new Map(metrics.flatMap(({ name, aliases = [] }) => aliases.map((alias) => [alias, name]))),
  };
}
