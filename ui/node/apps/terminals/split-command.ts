/** The parts of a command as a shell would see them, for quotes and spaces; null where a quote is left open. */
export function splitCommand(text: string): string[] | null {
  const parts: string[] = [];
  let part: string | null = null;
  let quote: string | null = null;
  for (const sign of text) {
    if (quote !== null) {
      if (sign === quote) quote = null;
      else part = (part ?? "") + sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      part ??= "";
    } else if (/\s/.test(sign)) {
      if (part !== null) parts.push(part);
      part = null;
    } else part = (part ?? "") + sign;
  }
  if (part !== null) parts.push(part);
  return quote === null ? parts : null;
}
