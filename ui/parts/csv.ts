/** Most rows of an export; a larger spreadsheet is of no use to anybody. */
const maxRows = 20_000;

/** A text as one field. What begins like a formula gets an apostrophe before it, because spreadsheets would run it. */
export function csvField(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows below a heading. */
export function csvText(head: string[], rows: string[][]): string {
  return `${[head, ...rows].map((row) => row.map(csvField).join(",")).join("\r\n")}\r\n`;
}

/** Reads a list to its end, or to more than anybody needs; `load` gets the cursor of the page before, null at the start. */
export async function readAll<T>(
  load: (cursor: string | null) => Promise<{ rows: T[]; next: string | null }>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | null = null;
  do {
    const page: { rows: T[]; next: string | null } = await load(cursor);
    all.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null && all.length < maxRows);
  return all;
}

/** Hands a text to the browser as a file. */
export function saveCsv(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
