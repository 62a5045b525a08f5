const DURATION_UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const DURATION_PART = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/y;

/** Milliseconds of a Compose duration such as `1m30s` or `500ms`; `null` when the text is not one. */
export function parseDurationMs(text: string): number | null {
  if (text === "0") return 0;
  let total = 0;
  let position = 0;
  while (position < text.length) {
    DURATION_PART.lastIndex = position;
    const part = DURATION_PART.exec(text);
    const unit = DURATION_UNITS[part?.[2] ?? ""];
    if (part === null || unit === undefined) return null;
    total += Number(part[1]) * unit;
    position = DURATION_PART.lastIndex;
  }
  return position === 0 ? null : total;
}

const BYTE_POWERS: Readonly<Record<string, number>> = { "": 0, b: 0, k: 1, m: 2, g: 3, t: 4, p: 5 };

/** Bytes of a Compose size such as `512m`, `2GB` or `1.5gib` (always powers of 1024); `null` when the text is not one. */
export function parseBytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([bkmgtp]?)(?:i?b)?$/i.exec(text);
  const power = BYTE_POWERS[(match?.[2] ?? "?").toLowerCase()];
  if (match === null || power === undefined) return null;
  return Math.floor(Number(match[1]) * 1024 ** power);
}
