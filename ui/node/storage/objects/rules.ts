import type { LifecycleRuleInput } from "../../../../src/node/storage/objects/contract.ts";

/** A rule while somebody writes it: days are texts, and what only programs set goes along as it is. */
export interface DraftRule extends Omit<LifecycleRuleInput, "after_days" | "upload_days"> {
  after: string;
  uploads: string;
}

const textOf = (days: number | null): string => (days === null ? "" : String(days));
const daysOf = (text: string): number | null => (text.trim() === "" ? null : Number(text));

export const draftOf = ({ after_days, upload_days, ...rule }: LifecycleRuleInput): DraftRule => ({
  ...rule,
  after: textOf(after_days),
  uploads: textOf(upload_days),
});

export const ruleOf = ({ after, uploads, ...rule }: DraftRule): LifecycleRuleInput => ({
  ...rule,
  after_days: daysOf(after),
  upload_days: daysOf(uploads),
});

/** A rule that says nothing yet, under a name that none of these has. */
export function emptyRule(rules: readonly DraftRule[]): DraftRule {
  const taken = new Set(rules.map(({ id }) => id));
  let number = rules.length + 1;
  while (taken.has(`rule-${number}`)) number += 1;
  const rest = { tags: [], larger_than: null, smaller_than: null, on_date: null };
  return { id: `rule-${number}`, enabled: true, prefix: "", ...rest, after: "", uploads: "" };
}

/** What a rule asks of objects besides their name, in words; null where it is nothing. */
export function besides({ tags, larger_than, smaller_than, on_date, enabled }: DraftRule): string | null {
  const words = [
    ...tags.map(({ tag, value }) => `tagged ${tag}=${value}`),
    ...(larger_than === null ? [] : [`larger than ${larger_than} bytes`]),
    ...(smaller_than === null ? [] : [`smaller than ${smaller_than} bytes`]),
    ...(on_date === null ? [] : [`ending on ${on_date.slice(0, 10)}`]),
    ...(enabled ? [] : ["switched off"]),
  ];
  return words.length === 0 ? null : words.join(", ");
}
