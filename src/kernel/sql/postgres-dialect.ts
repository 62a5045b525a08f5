const texts = new Map<string, string>();

/** Numbers the `?` of a statement as PostgreSQL wants them; quoted text stays as it is. Remembered by text. */
export function numberPlaceholders(sql: string): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => (part === "?" ? `$${++count}` : part));
  texts.set(sql, text);
  return text;
}

/**
 * A migration in PostgreSQL's words. Whole numbers are 64 bits wide and text compares by its bytes, as in SQLite, where every
 * table is STRICT.
 */
export function translateSchema(sql: string): string {
  return sql
    .replace(/\)\s*STRICT\s*;/g, ");")
    .replace(/\bINTEGER\b/g, "BIGINT")
    .replace(/\bREAL\b/g, "DOUBLE PRECISION")
    .replace(/\bBLOB\b/g, "BYTEA")
    .replace(/\bTEXT\b/g, 'TEXT COLLATE "C"');
}

/**
 * A value as the wire wants it: a whole number as 64 bits, since the column it is compared with has as many. PostgreSQL keeps
 * no NUL in a text; what a program printed may well have one, so it is written as U+FFFD.
 */
export function toPostgres(value: string | number | Uint8Array | null): string | number | bigint | Uint8Array | null {
  if (typeof value === "string") return value.includes("\u0000") ? value.replaceAll("\u0000", "\uFFFD") : value;
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}

/** A row with plain numbers. Throws RangeError for one that a number cannot hold. */
export function fromPostgres(row: Record<string, unknown>): Record<string, unknown> {
  for (const [name, value] of Object.entries(row)) {
    if (typeof value !== "bigint") continue;
    const number = Number(value);
    if (!Number.isSafeInteger(number)) throw new RangeError(`column ${name} holds ${value}, too large for a number`);
    row[name] = number;
  }
  return row;
}
