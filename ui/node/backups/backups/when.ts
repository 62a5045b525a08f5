/** Times that most plans have, so that nobody needs to know cron. */
export type Rhythm = "hourly" | "daily" | "weekly" | "monthly" | "own";

/** A time as it is chosen. */
export interface When {
  rhythm: Rhythm;
  /** Hours and minutes, such as 03:30. */
  time: string;
  /** Day of the week, 0 for Sunday. */
  weekday: number;
  /** As typed, for one's own. */
  cron: string;
}

export const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const TIME = /^([01]?\d|2[0-3]):([0-5]\d)$/;
const PLAIN = /^(\d{1,2}) (\*|\d{1,2}) (\*|1) \* (\*|[0-6])$/;

const two = (text: string | number): string => String(text).padStart(2, "0");

/** What a cron means in those words; `own` for what has none. */
export function readWhen(cron: string): When {
  const usual = { time: "03:30", weekday: 0, cron };
  const [, minute = "", hour = "", day = "", weekday = ""] = PLAIN.exec(cron) ?? [];
  if (minute === "") return { ...usual, rhythm: "own" };
  const time = `${two(hour === "*" ? 0 : hour)}:${two(minute)}`;
  if (hour === "*") return { ...usual, time, rhythm: day === "*" && weekday === "*" ? "hourly" : "own" };
  if (day === "1") return { ...usual, time, rhythm: weekday === "*" ? "monthly" : "own" };
  return weekday === "*"
    ? { ...usual, time, rhythm: "daily" }
    : { ...usual, time, weekday: Number(weekday), rhythm: "weekly" };
}

/** The cron of what was chosen; null where the time is none. */
export function writeWhen({ rhythm, time, weekday, cron }: When): string | null {
  if (rhythm === "own") return cron.trim() === "" ? null : cron.trim();
  const [, hour, minute] = TIME.exec(time.trim()) ?? [];
  if (hour === undefined || minute === undefined) return null;
  const at = `${Number(minute)} ${rhythm === "hourly" ? "*" : Number(hour)}`;
  return `${at} ${rhythm === "monthly" ? "1" : "*"} * ${rhythm === "weekly" ? weekday : "*"}`;
}

/** A cron in words. */
export function describeWhen(cron: string): string {
  const { rhythm, time, weekday } = readWhen(cron);
  switch (rhythm) {
    case "hourly":
      return `Every hour at minute ${Number(time.slice(3))}`;
    case "daily":
      return `Every day at ${time}`;
    case "weekly":
      return `Every ${WEEKDAYS[weekday] ?? "week"} at ${time}`;
    case "monthly":
      return `On the first of every month at ${time}`;
    case "own":
      return `At ${cron}`;
  }
}
