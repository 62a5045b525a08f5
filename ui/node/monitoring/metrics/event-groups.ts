/** Marks nearer to each other than this cannot be told apart, nor hit with a finger. */
export const nearPx = 28;

/** Things in time that are drawn as one mark, at the place of the first. */
export interface Group<E> {
  /** Share of the width. */
  at: number;
  members: E[];
}

/** Puts what would overlap on a row of `width` pixels from `first` to `last` into groups, in the order of time. */
export function groupMarks<E extends { timestamp: string }>(
  events: readonly E[],
  [first, last]: [first: number, last: number],
  width: number,
): Group<E>[] {
  const groups: Group<E>[] = [];
  for (const event of events.toSorted((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp))) {
    const share = (Date.parse(event.timestamp) - first) / Math.max(1, last - first);
    const at = Math.min(1, Math.max(0, share));
    const before = groups.at(-1);
    if (before !== undefined && (at - before.at) * width < nearPx) before.members.push(event);
    else groups.push({ at, members: [event] });
  }
  return groups;
}
