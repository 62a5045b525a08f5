/** Bytes of a line: what is longer, somebody made to be long. */
const MOST_LINE = 16 * 1_048_576;

const END = 0x0a;
const RETURN = 0x0d;

/**
 * Cuts a byte stream into lines (without their end); a last line without an end is delivered too. Of a line of more than `most` bytes
 * the rest is left out, and costs no more than looking for its end.
 */
export async function* readLines(stream: AsyncIterable<Uint8Array>, most = MOST_LINE): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let pieces: Uint8Array[] = [];
  let length = 0;

  function add(piece: Uint8Array): void {
    const taken = piece.subarray(0, most - length);
    if (taken.length === 0) return;
    pieces.push(taken);
    length += taken.length;
  }
  function end(): string {
    const line = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
    pieces = [];
    length = 0;
    return decoder.decode(line.at(-1) === RETURN ? line.subarray(0, -1) : line);
  }

  for await (const chunk of stream) {
    let begin = 0;
    for (let at = chunk.indexOf(END); at >= 0; at = chunk.indexOf(END, begin)) {
      add(chunk.subarray(begin, at));
      yield end();
      begin = at + 1;
    }
    add(chunk.subarray(begin));
  }
  if (length > 0) yield end();
}
