import type { SmartReading } from "./reading.ts";

/** What a reading comes to. */
export interface Judgement {
  /** Exactly as the contract words it. */
  status: string;
  healthy: boolean;
  /** The same in plain words. */
  verdict: string;
  /** What to do; null when there is nothing to do. */
  next_step: string | null;
}

/** From here on a flash disk counts as worn. */
const WORN_PERCENT = 90;

const many = (count: number, one: string): string => `${count} ${one}${count === 1 ? "" : "s"}`;

/**
 * Judges only what is the same on every maker's disks: the disk's own verdict, replaced and unreadable sectors, errors that it
 * could not save, and wear. Everything else is shown, never judged.
 */
export function judge(reading: SmartReading): Judgement {
  const { failing, reallocated_sectors, pending_sectors, media_errors, percentage_used } = reading;
  if (failing) {
    return {
      status: "Failing",
      healthy: false,
      verdict: "The disk itself says that it is failing. It can stop at any time.",
      next_step: "Back up what is on it today, then replace it.",
    };
  }
  if (reallocated_sectors) {
    return {
      status: `${reallocated_sectors} reallocated`,
      healthy: false,
      verdict: `The disk has replaced ${many(reallocated_sectors, "damaged sector")} by spare ones. It works, but it has begun to wear out.`,
      next_step: "Make sure that its data is backed up, and watch this number: replace the disk when it grows.",
    };
  }
  if (pending_sectors) {
    return {
      status: `${pending_sectors} pending`,
      healthy: false,
      verdict: `${many(pending_sectors, "sector")} could not be read. What was there may be lost.`,
      next_step:
        "Back up what is on it and run a long self-test: smartctl -t long. Replace the disk when the number stays.",
    };
  }
  if (media_errors) {
    return {
      status: `${media_errors} media errors`,
      healthy: false,
      verdict: `The disk has lost data ${many(media_errors, "time")}: it could not correct what it read or wrote.`,
      next_step: "Make sure that its data is backed up, and plan to replace it.",
    };
  }
  if (percentage_used !== null && percentage_used >= WORN_PERCENT) {
    return {
      status: `Worn ${percentage_used}%`,
      healthy: false,
      verdict: `${percentage_used}% of the writes that its maker promises are used up. Nothing has failed yet.`,
      next_step: "Plan to replace it in the coming months.",
    };
  }
  return { status: "Healthy", healthy: true, verdict: "Nothing points to trouble.", next_step: null };
}
