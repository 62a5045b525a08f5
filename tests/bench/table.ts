export { median } from "../../src/lib/statistics.ts";

/** One line of the table: a figure against its limit, or beside it for information when `limit` is null. */
export interface Figure {
  measure: string;
  value: number;
  unit: string;
  limit: { kind: "most" | "least"; value: number } | null;
  /** What a bare program of the same runtime gives in the same run; null where nothing compares. */
  baseline: number | null;
  /** How it was taken, for a person. */
  note: string;
}

/** True unless the figure is past its limit. */
export function passes({ value, limit }: Figure): boolean {
  if (limit === null) return true;
  return limit.kind === "most" ? value <= limit.value : value >= limit.value;
}

const digits = (value: number): string => {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
};

function cells(figure: Figure): string[] {
  const { measure, value, unit, limit, baseline, note } = figure;
  const verdict = limit === null ? "-" : passes(figure) ? "pass" : "FAIL";
  const bound = limit === null ? "-" : `${limit.kind === "most" ? "<=" : ">="} ${limit.value}`;
  return [measure, `${digits(value)} ${unit}`.trim(), bound, baseline === null ? "-" : digits(baseline), verdict, note];
}

/** All figures as aligned text. */
export function formatTable(figures: readonly Figure[]): string {
  const rows = [["measure", "value", "limit", "baseline", "result", "how"], ...figures.map(cells)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** The value that `percent` of the others do not exceed. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}
