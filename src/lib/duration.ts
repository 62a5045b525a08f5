/** Durations in milliseconds, named by their unit so that no bare number needs a comment. */
export const seconds = (count: number): number => count * 1000;
export const minutes = (count: number): number => count * 60_000;
export const hours = (count: number): number => count * 3_600_000;
export const days = (count: number): number => count * 86_400_000;
export const weeks = (count: number): number => count * 604_800_000;
