import { locale } from "../kit/locale.ts";

const nbsp = "\u00a0";

/** A number and its unit, apart, because the unit is drawn smaller. */
export interface Quantity {
  value: string;
  unit: string;
}

function digits(value: number): string {
  const places = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 1;
  return value.toLocaleString("en", { maximumFractionDigits: places });
}

/** Bytes in powers of 1000 (`disk`, `net`) or 1024 (`memory`), e.g. {value: "18.4", unit: "GB"}. */
export function bytes(count: number, kind: "disk" | "memory" = "disk"): Quantity {
  const step = kind === "memory" ? 1024 : 1000;
  const units = ["B", "kB", "MB", "GB", "TB", "PB"];
  let value = Math.max(0, count);
  let index = 0;
  while (value >= step * 0.9995 && index < units.length - 1) {
    value /= step;
    index += 1;
  }
  return { value: index < 1 ? String(Math.round(value)) : digits(value), unit: units[index] ?? "B" };
}

/** Bits per second from bytes per second, e.g. {value: "31.2", unit: "Mb/s"}. */
export function bitrate(bytesPerSecond: number): Quantity {
  const units = ["b/s", "kb/s", "Mb/s", "Gb/s"];
  let value = Math.max(0, bytesPerSecond) * 8;
  let index = 0;
  while (value >= 999.5 && index < units.length - 1) {
    value /= 1000;
    index += 1;
  }
  return { value: index < 2 ? String(Math.round(value)) : digits(value), unit: units[index] ?? "b/s" };
}

/** A quantity as text with a no-break space. */
export function text(quantity: Quantity): string {
  return `${quantity.value}${nbsp}${quantity.unit}`;
}

/** Bytes as text. */
export function bytesText(count: number, kind: "disk" | "memory" = "disk"): string {
  return text(bytes(count, kind));
}

/** Megabytes (1024²) as text, e.g. "512 MB" or "3.1 GB". */
export function megabytes(count: number): string {
  return bytesText(count * 1024 * 1024, "memory");
}

/** A percentage without decimals from 10 up, e.g. "23%" or "0.4%". */
export function percent(value: number): string {
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && value > 0 ? 1 : 0 })}%`;
}

/** A length of time by its two largest parts, e.g. "41 days", "3 h 12 min", "40 s". */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return `${whole}${nbsp}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}${nbsp}min`;
  const hours = Math.floor(whole / 3600);
  if (hours < 24) {
    const minutes = Math.floor((whole % 3600) / 60);
    return minutes === 0 ? `${hours}${nbsp}h` : `${hours}${nbsp}h ${minutes}${nbsp}min`;
  }
  const days = Math.floor(hours / 24);
  return days === 1 ? `1${nbsp}day` : `${days}${nbsp}days`;
}

/** A short stop-watch time for steps, e.g. "0.4 s", "13 s", "1 min 05 s". */
export function stopwatch(ms: number): string {
  if (ms < 10_000) return `${(Math.max(0, ms) / 1000).toFixed(1)}${nbsp}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}${nbsp}s`;
  return `${Math.floor(seconds / 60)}${nbsp}min ${String(seconds % 60).padStart(2, "0")}${nbsp}s`;
}

/** "just now", "3 minutes ago", then the date. */
export function ago(iso: string, now: number = Date.now()): string {
  const seconds = Math.round((now - Date.parse(iso)) / 1000);
  if (!Number.isFinite(seconds)) return "";
  if (seconds < 45) return "just now";
  const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (seconds < 3600) return relative.format(-Math.round(seconds / 60), "minute");
  if (seconds < 86_400) return relative.format(-Math.round(seconds / 3600), "hour");
  if (seconds < 30 * 86_400) return relative.format(-Math.round(seconds / 86_400), "day");
  return day(iso);
}

/** A date in the reader's way, e.g. "14 March 2026". */
export function day(iso: string): string {
  return new Date(iso).toLocaleDateString(locale, { day: "numeric", month: "long", year: "numeric" });
}

/** Date and time for tooltips. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "medium" });
}

/** Date and time of a plan, e.g. "22 Nov 2026, 02:00". */
export function appointment(iso: string): string {
  return new Date(iso).toLocaleString(locale, {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** Clock time, e.g. "14:02". */
export function clock(at: number): string {
  return new Date(at).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
}

/** Small numbers in words, for sentences: "three", "Twelve" with `capital`. */
export function inWords(count: number, capital = false): string {
  const words = "no one two three four five six seven eight nine ten eleven twelve".split(" ");
  const word = words[count] ?? String(count);
  return capital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** "1 app", "12 apps". */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en")}${nbsp}${number === 1 ? one : many}`;
}
