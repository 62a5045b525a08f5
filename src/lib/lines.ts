/** Characters of a line: what is longer, somebody made to be long. */
const MOST_LINE = 16 * 1_048_576;

/**
 * Cuts a byte stream into lines (without their end); a last line without an end is delivered too. Of a line of more than `most`
 * characters the rest is left out.
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, most = MOST_LINE): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;

  function add(piece: string): void {
    if (piece === "" || length >= most) return;
    pieces.push(piece.slice(0, most - length));
    length += piece.length;
  }
  function end(): string {
    const line = pieces.join("");
    pieces = [];
    length = 0;
    return line;
  }

  for await (const chunk of stream) {
    const [first = "", ...more] = decoder.decode(chunk, { stream: true }).split("\n");
    add(first);
    for (const next of more) {
      const line = end();
      yield line.endsWith("\r") ? line.slice(0, -1) : line;
      add(next);
    }
  }
  if (length > 0) yield end();
}
