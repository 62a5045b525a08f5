/** How many may come in after one count. */
const AHEAD = 100;

/** Keeps the number of something in workspaces below a bound, where counting it takes long. */
export interface Room {
  /**
   * Takes the place of one more; false when there is none. `count` says how many there are, and is asked again after a hundred: those who
   * come in by other ways are seen then.
   */
  take(tenantId: string, count: () => Promise<number>): Promise<boolean>;
}

/** Makes a room for so many in each workspace. A place that is taken and then not used is found again by the next count. */
export function createRoom(most: number): Room {
  const counted = new Map<string, number>();
  return {
    async take(tenantId, count) {
      const left = counted.get(tenantId) ?? Math.min(AHEAD, most - (await count()));
      if (left > 1) counted.set(tenantId, left - 1);
      else counted.delete(tenantId);
      return left > 0;
    },
  };
}
