/** Characters of one answer; a few thousand lines of usual length are far less. */
const MOST_TEXT = 4_194_304;

/**
 * All lines, without the oldest of those that are too much to hold and to send at once: the number of lines bounds nothing for a
 * program that writes whole files in one.
 */
export async function readNewest<Line extends { text: string }>(
  lines: AsyncIterable<Line>,
  mostText = MOST_TEXT,
): Promise<Line[]> {
  const kept: Line[] = [];
  let first = 0;
  let size = 0;
  for await (const line of lines) {
    kept.push(line);
    size += line.text.length;
    for (; size > mostText && first < kept.length - 1; first += 1) size -= kept[first]?.text.length ?? 0;
    if (first > 0 && first * 2 >= kept.length) {
      kept.splice(0, first);
      first = 0;
    }
  }
  return kept.slice(first);
}
