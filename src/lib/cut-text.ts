/**
 * At most `most` characters of a text from `start` on. What is cut is copied: the runtime keeps the whole text alive for each part
 * of it that somebody holds.
 */
export function cutText(text: string, most: number, start = 0): string {
  if (start === 0 && text.length <= most) return text;
  return Buffer.from(text.slice(start, start + most)).toString();
}
