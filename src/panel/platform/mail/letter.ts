import { escapeHtml } from "../../../lib/escape-html.ts";
import type { LetterText } from "../../base.ts";

/** The plain and the formatted part: no images, nothing from elsewhere, readable without style. */
export function writeLetter({ greeting, paragraphs, action, footer }: LetterText): { text: string; html: string } {
  const link = action === null ? [] : [`${action.label}:\n${action.url}`];
  const block = (text: string): string => `<p style="margin:0 0 14px">${escapeHtml(text)}</p>`;
  const button =
    action === null
      ? ""
      : `<p style="margin:0 0 20px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#2e6bc4;color:#fff;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 20px;color:#666;font-size:13px;word-break:break-all">${escapeHtml(action.url)}</p>`;
  return {
    text: [greeting, ...paragraphs, ...link, `--\n${footer}`].join("\n\n"),
    html: `<!doctype html><html><body style="font:15px/1.5 system-ui,sans-serif;color:#111;max-width:560px">
${[greeting, ...paragraphs].map(block).join("\n")}
${button}<p style="color:#888;font-size:12px">${escapeHtml(footer)}</p></body></html>`,
  };
}
