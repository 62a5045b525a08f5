/** How grave a line of a log is. */
export type Level = "info" | "warn" | "error";

/** Choices for the least grave that is shown. */
export const levels: { value: Level | ""; label: string }[] = [
  { value: "", label: "Every level" },
  { value: "info", label: "Info and worse" },
  { value: "warn", label: "Warnings and errors" },
  { value: "error", label: "Errors" },
];

/** When a line was written; a log reaches back: what is not of today has its day, and no seconds, so that it stays on one line. */
export function timeOf(at: string | null): string {
  if (at === null) return "";
  const moment = new Date(at);
  if (moment.toDateString() === new Date().toDateString()) return moment.toLocaleTimeString("en-GB");
  const day = moment.toLocaleDateString("en-GB", { day: "2-digit", month: "short" });
  return `${day} ${moment.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" })}`;
}
