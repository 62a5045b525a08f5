/** Spans of days up to now, as filters of a log offer them. */
export const daySpans = [
  { value: "", label: "Any time" },
  { value: "1", label: "Last day" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "365", label: "Last year" },
];

/** The beginning of a span of days; undefined for any time. */
export function sinceDays(days: string): string | undefined {
  const count = Number(days);
  return count > 0 ? new Date(Date.now() - count * 86_400_000).toISOString() : undefined;
}
