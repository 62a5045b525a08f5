import type { Level } from "../contract.ts";
import type { WaitingLine } from "../pump/followed.ts";

/** "user-level messages": what a program or a container says. */
const FACILITY = 1;
const SEVERITIES: Record<Level, number> = { error: 3, warn: 4, info: 6, debug: 7 };
/** What nobody rated is a notice. */
const UNRATED = 5;

/** Printable ASCII without spaces, as the fields of the header want it; `-` for nothing. */
function field(text: string, most: number): string {
  const plain = text.replace(/[^\x21-\x7e]+/g, "_").slice(0, most);
  return plain === "" ? "-" : plain;
}

/** Six digits of a second at most, as RFC 5424 wants it; Docker writes nine. */
const stamp = (at: string): string => at.replace(/(\.\d{6})\d+/, "$1");

/** A line as RFC 5424 wants it, of so many bytes at most; cut where a character ends. */
export function syslogMessage({ at, source, level, text }: WaitingLine, server: string, mostBytes: number): Buffer {
  const priority = FACILITY * 8 + (level === null ? UNRATED : SEVERITIES[level]);
  const head = `<${priority}>1 ${stamp(at)} ${field(server, 255)} ${field(source, 48)} - - - `;
  // A receiver over TCP may take the end of a line for the end of the message.
  const whole = Buffer.from(head + text.replace(/[\r\n]+/g, " "));
  if (whole.length <= mostBytes) return whole;
  let end = mostBytes;
  while (end > 0 && ((whole[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return whole.subarray(0, end);
}

/** With its length before it, so that the other side knows where it ends (RFC 6587, octet counting). */
export const countOctets = (message: Buffer): Buffer => Buffer.concat([Buffer.from(`${message.length} `), message]);
