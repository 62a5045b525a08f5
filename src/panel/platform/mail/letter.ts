import { escapeHtml } from "../../../lib/escape-html.ts";
import { unlinked } from "../../../lib/unlinked.ts";
import type { LetterText } from "../../base.ts";
import { typeset } from "../../languages.ts";

/** What ends a line or hides in one, in a text that is a single line. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** A text as one line: a name in it begins no header and no line of its own. */
const oneLine = (text: string): string => text.replace(BREAKS, " ").trim();

/** The subject, the plain and the formatted part: no images, nothing from elsewhere, readable without style. */
export function writeLetter(letter: LetterText): { subject: string; text: string; html: string } {
  const { language, action } = letter;
  const line = (text: string): string => typeset(language, oneLine(text));
  const subject = line(letter.subject);
  const workspace = unlinked(oneLine(letter.workspace));
  const [greeting, footer] = [letter.greeting, letter.footer].map(line);
  const paragraphs = letter.paragraphs.map(line);
  const link = action === null ? [] : [`${action.label}:\n${action.url}`];
  const block = (text = ""): string => `<p style="margin:0 0 14px">${escapeHtml(text)}</p>`;
  const head = workspace
    ? `<p style="margin:0 0 20px;padding:0 0 10px;border-bottom:1px solid #ddd;font-weight:600">${escapeHtml(workspace)}</p>\n`
    : "";
  const button =
    action === null
      ? ""
      : `<p style="margin:0 0 20px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#2e6bc4;color:#fff;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 20px;color:#666;font-size:13px;word-break:break-all">${escapeHtml(action.url)}</p>`;
  const sender = workspace ? `${workspace} · Orrery` : "Orrery";
  return {
    subject,
    text: [greeting, ...paragraphs, ...link, `-- \n${sender}\n${footer}`].join("\n\n"),
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="font:15px/1.5 system-ui,sans-serif;color:#111;max-width:560px">
${head}${[greeting, ...paragraphs].map(block).join("\n")}
${button}<p style="color:#666;font-size:12px">${escapeHtml(sender)}<br>${escapeHtml(footer ?? "")}</p></body></html>`,
  };
}
