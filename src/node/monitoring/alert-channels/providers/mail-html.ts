import { escapeHtml } from "../../../../lib/escape-html.ts";
import type { Severity } from "../contract.ts";
import type { Entry, Message } from "./provider.ts";

const COLOURS: Record<Severity, string> = { critical: "#c0392b", warning: "#b9770e", info: "#2e6bc4" };
const GREEN = "#2e8b57";
const MAX_ENTRIES = 100;

/** Addresses become links; only the two schemes, and only what was escaped before. */
const linked = (text: string): string =>
  escapeHtml(text)
    .replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll("\n", "<br>");

function block({ kind, notice, subject, body, note }: Entry): string {
  const colour = kind === "resolved" ? GREEN : COLOURS[notice.severity];
  const extra = note === "" ? "" : `<p style="margin:6px 0 0;color:#666;font-style:italic">${linked(note)}</p>`;
  return `<div style="border-left:4px solid ${colour};padding:4px 0 4px 14px;margin:0 0 20px">
<p style="margin:0 0 6px;font-weight:600">${linked(subject)}</p>
<p style="margin:0;color:#333">${linked(body)}</p>${extra}</div>`;
}

/** The formatted part of a mail: no images, nothing from elsewhere, readable without style. */
export function mailHtml({ entries, server }: Message): string {
  const more = entries.length > MAX_ENTRIES ? `<p>… and ${entries.length - MAX_ENTRIES} more</p>` : "";
  return `<!doctype html><html><body style="font:15px/1.5 system-ui,sans-serif;color:#111;max-width:640px">
${entries.slice(0, MAX_ENTRIES).map(block).join("\n")}${more}
<p style="color:#888;font-size:12px">Sent by Orrery on ${escapeHtml(server)}.</p></body></html>`;
}
