import { kernelFail } from "../../../kernel/http/errors.ts";
import { toIso } from "../../../lib/clock.ts";
import type { LifecycleRuleInput } from "./contract.ts";
import type { LifecycleRule } from "./lifecycle/rules.ts";

/** A rule as the contract words it. */
export const presentRule = ({ id, enabled, prefix, tags, ...rule }: LifecycleRule): LifecycleRuleInput => ({
  id,
  enabled,
  prefix,
  tags: Object.entries(tags).map(([tag, value]) => ({ tag, value })),
  larger_than: rule.largerThan,
  smaller_than: rule.smallerThan,
  after_days: rule.afterDays,
  on_date: rule.onDate === null ? null : toIso(rule.onDate),
  upload_days: rule.uploadDays,
});

function readRule(input: LifecycleRuleInput, index: number): LifecycleRule {
  const { id, enabled, prefix, tags, larger_than, smaller_than, after_days, on_date, upload_days } = input;
  const refuse = (field: string, reason: string) =>
    kernelFail("invalid_request", { field: `rules.${index}.${field}`, reason });
  const onDate = on_date === null ? null : Date.parse(on_date);
  if (onDate !== null && Number.isNaN(onDate)) throw refuse("on_date", "must be a day such as 2026-01-31");
  if (after_days === null && onDate === null && upload_days === null)
    throw refuse("after_days", "must say when something ends, or upload_days must");
  if (after_days !== null && onDate !== null) throw refuse("on_date", "must be null where after_days is given");
  if (upload_days !== null && tags.length > 0) throw refuse("tags", "must be empty: unfinished uploads have no tags");
  return {
    id,
    enabled,
    prefix,
    tags: Object.fromEntries(tags.map(({ tag, value }) => [tag, value])),
    largerThan: larger_than,
    smallerThan: smaller_than,
    afterDays: after_days,
    onDate: onDate === null ? null : Math.floor(onDate / 86_400_000) * 86_400_000,
    uploadDays: upload_days,
  };
}

/** The rules that somebody asks for. Throws `invalid_request` for those that say nothing, or two things at once. */
export function readRules(given: readonly LifecycleRuleInput[]): LifecycleRule[] {
  const rules = given.map(readRule);
  if (new Set(rules.map((rule) => rule.id)).size < rules.length)
    throw kernelFail("invalid_request", { field: "rules", reason: "must have names that differ" });
  return rules;
}
