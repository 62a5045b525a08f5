import type { TimeSeries } from "../../../kit/time-axis.ts";

/** What a rule made from a chart begins with. */
export interface AlertStart {
  metric: string;
  entity: string;
  above: number;
}

const highest = (values: readonly (number | null)[]): number =>
  values.reduce<number>((most, value) => (value !== null && value > most ? value : most), 0);

/** Past this share of the whole, what is watched is as good as full. */
const fullPercent = 95;

/**
 * A threshold a little above all that is seen, so that a rule made from a quiet day is quiet: shares of a whole in steps of
 * five percent, rates in two digits.
 */
export function thresholdAbove(seen: number, isShare: boolean): number {
  if (isShare) return Math.min(fullPercent, Math.max(5, Math.ceil((seen * 1.05) / 5) * 5));
  const wanted = Math.max(1, (seen * 11) / 10);
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 1);
  return Math.ceil(wanted / unit) * unit;
}

/** The rule that a chart suggests: about the figure that went highest. Null where nothing was measured. */
export function alertStart(
  figures: readonly { metric: string; values: TimeSeries["values"] }[],
  { entity = "host", isShare = false }: { entity?: string; isShare?: boolean } = {},
): AlertStart | null {
  const measured = figures.filter(({ values }) => values.some((value) => value !== null));
  const [top] = measured.toSorted((a, b) => highest(b.values) - highest(a.values));
  return top === undefined ? null : { metric: top.metric, entity, above: thresholdAbove(highest(top.values), isShare) };
}

/** The address of the dialog for a new rule, filled in. */
export function alertHref({ metric, entity, above }: AlertStart): string {
  return `/alerts?${new URLSearchParams({ tab: "rules", new: metric, entity, above: String(above) })}`;
}
