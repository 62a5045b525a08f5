import type { ProgramEnd } from "../../../kernel/host/run-program.ts";
import { cutText } from "../../../lib/cut-text.ts";

/** What a program said at its end: its errors if it names them, else its last words. */
export function lastLines(end: ProgramEnd): string {
  if (end.signal !== null) return `It took too long and was ended (${end.signal}).`;
  const lines = `${end.stdout}\n${end.stderr}`.split("\n").map((line) => line.trim());
  const said = lines.filter((line) => line !== "");
  const errors = said.filter((line) => /^(E:|dpkg: error|Failed|Error)/.test(line));
  const last = (errors.length > 0 ? errors : said).slice(-3).map((line) => cutText(line, 200));
  return last.join(" ") || `It said nothing (code ${end.code}).`;
}
