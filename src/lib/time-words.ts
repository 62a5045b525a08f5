import { days, hours, minutes } from "./duration.ts";

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

/** A length of time for a sentence, in its largest fitting unit: "3 days", "5 hours", "12 minutes". */
export function lengthInWords(ms: number): string {
  if (ms >= days(2)) return count(Math.round(ms / days(1)), "day");
  if (ms >= hours(1)) return count(Math.round(ms / hours(1)), "hour");
  return count(Math.max(1, Math.round(ms / minutes(1))), "minute");
}
