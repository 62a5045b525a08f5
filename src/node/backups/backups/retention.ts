import type { Keep } from "./contract.ts";

/** What retention has to know of a backup. */
export interface Kept {
  id: string;
  /** When it began, milliseconds since 1970. */
  at: number;
  /** What is in it: ids of apps, and the settings. */
  items: readonly string[];
}

const two = (number: number): string => String(number).padStart(2, "0");

/** Hours, days, weeks and months are those of the server's own zone. */
const dayOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
const hourOf = (at: Date): string => `${dayOf(at)} ${two(at.getHours())}`;
/** A week is named by its Monday. */
const weekOf = (at: Date): string =>
  dayOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() - ((at.getDay() + 6) % 7)));
const monthOf = (at: Date): string => `${at.getFullYear()}-${two(at.getMonth() + 1)}`;

/** The newest backup of each of so many periods that have one. */
function newestOf(backups: readonly Kept[], count: number, periodOf: (at: Date) => string): string[] {
  const newest = new Map<string, string>();
  for (const { id, at } of backups) {
    const period = periodOf(new Date(at));
    if (!newest.has(period)) newest.set(period, id);
  }
  return [...newest.values()].slice(0, count);
}

/**
 * Ids of the backups that may go. Each app and the settings are looked at by themselves, so that one with little in it never takes
 * the place of one with more, and what was uninstalled keeps its last copies.
 */
export function selectForgotten(backups: readonly Kept[], { last, hourly, daily, weekly, monthly }: Keep): string[] {
  const newestFirst = backups.toSorted((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1));
  const kept = new Set<string>();
  for (const item of new Set(newestFirst.flatMap(({ items }) => items))) {
    const having = newestFirst.filter(({ items }) => items.includes(item));
    const stay = [
      // Whatever is asked for, the newest copy of everything stays.
      ...having.slice(0, Math.max(1, last)).map(({ id }) => id),
      ...newestOf(having, hourly, hourOf),
      ...newestOf(having, daily, dayOf),
      ...newestOf(having, weekly, weekOf),
      ...newestOf(having, monthly, monthOf),
    ];
    for (const id of stay) kept.add(id);
  }
  return newestFirst.map(({ id }) => id).filter((id) => !kept.has(id));
}
