import type { Points, View } from "./view.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Ranges longer than a day contain the day before already. */
export const hasDayBefore = ({ load }: View): boolean => load === "1h" || load === "6h" || load === "24h";

/** Whether nothing at all was measured 24 hours before any of `times`, as on the first day of a server. */
export const lacksDayBefore = (hours: Points, figure: string, times: readonly number[]): boolean =>
  times.length > 0 && dayBefore(hours, figure, times).every((value) => value === null);

/**
 * A figure as it was 24 hours before each of `times`, out of points of an hour's mean each: on the line between the middles
 * of two hours, null where one of them was not measured.
 */
export function dayBefore(hours: Points, figure: string, times: readonly number[]): (number | null)[] {
  const means = new Map(hours.map((point) => [Date.parse(point.ts), point[figure]]));
  return times.map((time) => {
    const at = time - dayMs - hourMs / 2;
    const hour = Math.floor(at / hourMs) * hourMs;
    const [before, after] = [means.get(hour), means.get(hour + hourMs)];
    if (typeof before !== "number" || typeof after !== "number") return null;
    return before + ((after - before) * (at - hour)) / hourMs;
  });
}
