import { setQuery } from "../../../client/router.ts";
import { Segmented } from "../../../kit/choice.tsx";

const labels = { "1h": "1 h", "6h": "6 h", "24h": "24 h", "7d": "7 d", "30d": "30 d", "3mo": "3 mo" } as const;
type Range = keyof typeof labels;
const usual = "24h";

/** The range that an address asks for, out of those there are. */
export function rangeOf<R extends Range>(text: string | null, ranges: readonly R[], otherwise: R): R {
  return ranges.find((range) => range === text) ?? otherwise;
}

/** How far back a chart looks; the address keeps it. */
export function RangeChoice<R extends Range>({ value, ranges }: { value: R; ranges: readonly R[] }) {
  return (
    <Segmented
      label="Range"
      size="sm"
      value={value}
      options={ranges.map((range) => ({ value: range, label: labels[range] }))}
      onValue={(range) => setQuery({ range: range === usual ? null : range })}
    />
  );
}
