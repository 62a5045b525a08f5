/** At most `limit` UTF-16 units, ending in `…` when cut; never half a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * At most `most` characters of a text from `start` on, as a copy: the runtime keeps the whole text alive for each part of it that
 * somebody holds, which for lines of a log can be many times as much.
 */
export function copyPart(text: string, most: number, start = 0): string {
  if (start === 0 && text.length <= most) return text;
  return copyText(text.slice(start, start + most));
}

/** The same text in memory of its own, for one that stays when all that was read with it is let go. */
export const copyText = (text: string): string => Buffer.from(text).toString();
