import type { Keep } from "./contract.ts";

/** What retention has to know of a backup. */
export interface Kept {
  id: string;
  /** When it began, milliseconds since 1970. */
  at: number;
  /** What is in it: ids of apps, and the settings. */
  items: readonly string[];
  /** Those of them of which not all is in it. */
  half: readonly string[];
  /** Whether it was read back, and was as it was made. */
  isProven: boolean;
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

const itemsOf = (backups: readonly Kept[]): Set<string> => new Set(backups.flatMap(({ items }) => items));
const sortNewest = (backups: readonly Kept[]): Kept[] =>
  backups.toSorted((left, right) => right.at - left.at || (left.id < right.id ? 1 : -1));
const hasWhole = ({ items, half }: Kept, item: string): boolean => items.includes(item) && !half.includes(item);

/**
 * Ids of the backups that may go. Each app and the settings are looked at by themselves, so that one with little in it never takes
 * the place of one with more, and what was uninstalled keeps its last copies. Neither does a copy that is not whole take the place of
 * one that is: it stays while it is the newest, and goes when there is a newer one.
 */
export function selectForgotten(backups: readonly Kept[], { last, hourly, daily, weekly, monthly }: Keep): string[] {
  const newestFirst = sortNewest(backups);
  const kept = new Set<string>();
  for (const item of itemsOf(newestFirst)) {
    const having = newestFirst.filter(({ items }) => items.includes(item));
    const whole = having.filter((backup) => hasWhole(backup, item));
    const counted = whole.length === 0 ? having : whole;
    const stay = [
      // Whatever is asked for, the newest copy of everything stays, and the newest whole one.
      ...having.slice(0, 1).map(({ id }) => id),
      ...counted.slice(0, Math.max(1, last)).map(({ id }) => id),
      ...newestOf(counted, hourly, hourOf),
      ...newestOf(counted, daily, dayOf),
      ...newestOf(counted, weekly, weekOf),
      ...newestOf(counted, monthly, monthOf),
    ];
    for (const id of stay) kept.add(id);
  }
  return newestFirst.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** Ids of what is known to be good: for each app and the settings the newest backup that was read back and has all of it. */
export function selectProven(backups: readonly Kept[]): Set<string> {
  const proven = sortNewest(backups).filter(({ isProven }) => isProven);
  const newest = [...itemsOf(proven)].map((item) => proven.find((backup) => hasWhole(backup, item))?.id);
  return new Set(newest.filter((id) => id !== undefined));
}
