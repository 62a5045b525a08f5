import { parseJson } from "../../lib/json.ts";
import { AgentCallError } from "./failures.ts";

/** Cuts a stream of bytes into lines of JSON; throws `AgentCallError` for a line that is none or above `limit` bytes. */
export function createLineSplitter(limit: number, onLine: (line: unknown) => void): { feed(chunk: Uint8Array): void } {
  let rest: Uint8Array = Buffer.alloc(0);
  return {
    feed(chunk) {
      let bytes = Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf("\n"); end >= 0; end = bytes.indexOf("\n")) {
        const line = bytes.toString("utf8", 0, end).trim();
        bytes = bytes.subarray(end + 1);
        // An empty line only says that the panel is there.
        if (line !== "") onLine(readLine(line));
      }
      if (bytes.length > limit) throw new AgentCallError("garbled", "A line of the panel is longer than it may be.");
      rest = bytes;
    },
  };
}

function readLine(line: string): unknown {
  const value = parseJson(line);
  if (value === null) throw new AgentCallError("garbled", "A line of the panel is no JSON.");
  return value;
}
