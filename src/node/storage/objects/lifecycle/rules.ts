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

/** The rules as a bucket keeps them; none for null. */
export function readLifecycle(text: string | null): LifecycleRule[] {
  const given = text === null ? [] : parseJson(text);
  return Array.isArray(given) ? given.filter(isRule) : [];
}

/** The midnight, in UTC, that begins the day after `days` whole days: S3 rounds up to it. */
const midnightAfter = (at: number, count: number): number => Math.ceil((at + count * DAY_MS) / DAY_MS) * DAY_MS;

function means({ prefix, tags, largerThan, smallerThan }: LifecycleRule, { key, size, tags: own }: Candidate): boolean {
  const begin = Buffer.from(prefix);
  if (Buffer.compare(Buffer.from(key.subarray(0, begin.length)), begin) !== 0) return false;
  if (largerThan !== null && size <= largerThan) return false;
  if (smallerThan !== null && size >= smallerThan) return false;
  return Object.entries(tags).every(([name, value]) => own[name] === value);
}

/** The rule by which an object ends first, and when; null where none means it. */
export function endOf(rules: readonly LifecycleRule[], object: Candidate): { at: number; rule: LifecycleRule } | null {
  let first: { at: number; rule: LifecycleRule } | null = null;
  for (const rule of rules) {
    if (!rule.enabled || !means(rule, object)) continue;
    const at = rule.afterDays === null ? rule.onDate : midnightAfter(object.modified_at, rule.afterDays);
    if (at !== null && (first === null || at < first.at)) first = { at, rule };
  }
  return first;
}

/** Whether an upload that began at `startedAt` and is not finished is to be given up. */
export function isStale(
  rules: readonly LifecycleRule[],
  upload: { key: Uint8Array; started_at: number },
  now: number,
): boolean {
  return rules.some((rule) => {
    if (!rule.enabled || rule.uploadDays === null) return false;
    const begin = Buffer.from(rule.prefix);
    const isMeant = Buffer.compare(Buffer.from(upload.key.subarray(0, begin.length)), begin) === 0;
    return isMeant && midnightAfter(upload.started_at, rule.uploadDays) <= now;
  });
}
