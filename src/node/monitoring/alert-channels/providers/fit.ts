import { cutText } from "../../../../lib/cut-text.ts";
import type { Entry, Message } from "./provider.ts";

/** How a provider writes one notice: whole, and as one line for when there are too many. */
export interface Style {
  whole(entry: Entry): string;
  line(entry: Entry): string;
  escape(text: string): string;
}

/** The words of a notice without anything around them. */
export function plainEntry({ subject, body, note }: Entry): string {
  return [subject, body, note].filter((part) => part !== "").join("\n");
}

/** What a message is about, in one line. */
export function headline({ entries, server }: Message): string {
  const [only] = entries;
  if (entries.length === 1 && only) return only.subject;
  const ended = entries.filter(({ kind }) => kind === "resolved").length;
  const counts = [
    [entries.length - ended, "firing"],
    [ended, "resolved"],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `${entries.length} alerts on ${server}: ${parts.join(", ")}`;
}

/**
 * All notices of a message as one text of at most `limit` units: whole where there is room, else one line each, else as
 * many lines as fit with the number of those left out. Cuts only unescaped text, so that no escape is torn.
 */
export function fitText(message: Message, limit: number, style: Style): { text: string; isCut: boolean } {
  const { entries } = message;
  const head = entries.length > 1 ? `${style.escape(headline(message))}\n\n` : "";
  const whole = head + entries.map(style.whole).join("\n\n");
  if (whole.length <= limit) return { text: whole, isCut: false };
  const [only] = entries;
  if (entries.length === 1 && only) return { text: cutEscaped(plainEntry(only), limit, style.escape), isCut: true };
  const lines = entries.map((entry) => style.line({ ...entry, subject: cutText(entry.subject, 300) }));
  for (let count = lines.length; count > 0; count--) {
    const more = count < lines.length ? `\n${style.escape(`… and ${lines.length - count} more`)}` : "";
    const text = `${head}${lines.slice(0, count).join("\n")}${more}`;
    if (text.length <= limit) return { text, isCut: true };
  }
  return { text: cutEscaped(headline(message), limit, style.escape), isCut: true };
}

/** The longest beginning of a text that fits once it is escaped. */
function cutEscaped(text: string, limit: number, write: (text: string) => string): string {
  let room = limit;
  let cut = write(cutText(text, room));
  while (cut.length > limit && room > 0) {
    room -= Math.max(1, Math.ceil((cut.length - limit) / 6));
    cut = write(cutText(text, room));
  }
  return cut;
}
