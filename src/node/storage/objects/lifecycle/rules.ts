import { days } from "../../../../lib/duration.ts";
import { isRecord, parseJson } from "../../../../lib/json.ts";

/** When objects or unfinished uploads of a bucket end by themselves. */
export interface LifecycleRule {
  id: string;
  enabled: boolean;
  /** Only keys that begin so; empty for all. */
  prefix: string;
  /** Only objects with all of these tags. */
  tags: Record<string, string>;
  /** Only objects larger, or smaller, than that many bytes. */
  largerThan: number | null;
  smallerThan: number | null;
  /** Objects end so many days after they were stored. */
  afterDays: number | null;
  /** Objects end at this midnight, in milliseconds since 1970. */
  onDate: number | null;
  /** Uploads that are not finished are given up so many days after they began. */
  uploadDays: number | null;
}

/** What of an object decides whether a rule means it. */
export interface Candidate {
  key: Uint8Array;
  size: number;
  modified_at: number;
  tags: Readonly<Record<string, string>>;
}

const DAY_MS = days(1);
const isCount = (value: unknown): value is number | null => value === null || typeof value === "number";

function isRule(value: unknown): value is LifecycleRule {
  return (
    isRecord(value) &&
    typeof value["id"] === "string" &&
    typeof value["enabled"] === "boolean" &&
    typeof value["prefix"] === "string" &&
    isRecord(value["tags"]) &&
    ["largerThan", "smallerThan", "afterDays", "onDate", "uploadDays"].every((name) => isCount(value[name]))
  );
}

/** A rule as objects are compared with it, many times. */
export interface ReadyLifecycle {
  rule: LifecycleRule;
  begin: Uint8Array;
  tags: readonly (readonly [name: string, value: string])[];
}

/** The rules as a bucket keeps them; none for null. */
export function readLifecycle(text: string | null): LifecycleRule[] {
  const given = text === null ? [] : parseJson(text);
  return Array.isArray(given) ? given.filter(isRule) : [];
}

/** Those that are on, made ready for as many objects as there are. */
export const readyLifecycle = (text: string | null): ReadyLifecycle[] =>
  readLifecycle(text)
    .filter(({ enabled }) => enabled)
    .map((rule) => ({ rule, begin: Buffer.from(rule.prefix), tags: Object.entries(rule.tags) }));

/** The midnight, in UTC, that begins the day after `days` whole days: S3 rounds up to it. */
const midnightAfter = (at: number, count: number): number => Math.ceil((at + count * DAY_MS) / DAY_MS) * DAY_MS;

const beginsWith = (key: Uint8Array, begin: Uint8Array): boolean =>
  key.length >= begin.length && Buffer.compare(key.subarray(0, begin.length), begin) === 0;

function means({ rule, begin, tags }: ReadyLifecycle, { key, size, tags: own }: Candidate): boolean {
  if (rule.largerThan !== null && size <= rule.largerThan) return false;
  if (rule.smallerThan !== null && size >= rule.smallerThan) return false;
  return beginsWith(key, begin) && tags.every(([name, value]) => own[name] === value);
}

/** The rule by which an object ends first, and when; null where none means it. */
export function endOf(rules: readonly ReadyLifecycle[], object: Candidate): { at: number; rule: LifecycleRule } | null {
  let first: { at: number; rule: LifecycleRule } | null = null;
  for (const ready of rules) {
    if (!means(ready, object)) continue;
    const { rule } = ready;
    const at = rule.afterDays === null ? rule.onDate : midnightAfter(object.modified_at, rule.afterDays);
    if (at !== null && (first === null || at < first.at)) first = { at, rule };
  }
  return first;
}

/** Whether an upload that began at `startedAt` and is not finished is to be given up. */
export function isStale(
  rules: readonly ReadyLifecycle[],
  upload: { key: Uint8Array; started_at: number },
  now: number,
): boolean {
  return rules.some(
    ({ rule, begin }) =>
      rule.uploadDays !== null &&
      midnightAfter(upload.started_at, rule.uploadDays) <= now &&
      beginsWith(upload.key, begin),
  );
}
