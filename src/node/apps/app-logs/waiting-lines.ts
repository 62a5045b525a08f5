import { createChannel } from "../../../lib/channel.ts";
import { copyText } from "../../../lib/cut-text.ts";
import type { LogLine } from "./contract.ts";

/** More lines than a browser can show at once; older ones are dropped for a reader that does not keep up. */
export const WAITING_LINES = 2000;
/** Characters of them: a program may write a quarter of a megabyte in each line. */
const WAITING_TEXT = 2_097_152;

/** Lines that wait for who follows a log. Each is a copy: what was read around it would stay in memory with it. */
export function createWaitingLines(signal: AbortSignal) {
  const lines = createChannel<LogLine>(WAITING_LINES, signal, { of: ({ text }) => text.length, most: WAITING_TEXT });
  return { lines, push: (line: LogLine) => lines.push({ ...line, text: copyText(line.text) }) };
}
