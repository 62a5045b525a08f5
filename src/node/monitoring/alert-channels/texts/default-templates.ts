import type { ChannelType, NoticeKind } from "../contract.ts";

/** A text with `{{variables}}`: one line and what follows it. */
export interface TemplateText {
  subject: string;
  body: string;
}

const TEXTS: Record<NoticeKind, TemplateText> = {
  fired: {
    subject: "{{severity}}: {{rule_name}} on {{entity_name}}",
    body: "{{message}}\nValue: {{value}}\nLimit: {{threshold}}\nSince: {{started_at}}\n{{changes}}\n{{link}}",
  },
  resolved: {
    subject: "Resolved: {{rule_name}} on {{entity_name}}",
    body: "{{message}}\nIt lasted {{duration}}.\nWorst value: {{peak}}\nEnded: {{resolved_at}}\n{{link}}",
  },
  reminder: {
    subject: "Still firing for {{duration}}: {{rule_name}} on {{entity_name}}",
    body: "{{message}}\nSeverity: {{severity}}\nValue: {{value}}\nLimit: {{threshold}}\nWorst value: {{peak}}\n{{link}}",
  },
  flapping: {
    subject: "Unsteady: {{rule_name}} on {{entity_name}}",
    body: "{{message}}\nIt goes back and forth. You hear of it again when it has been steady for a while.\n{{link}}",
  },
};

/** The text that Orrery brings. Mails name the server first, since they come together with those of other servers. */
export function defaultTemplate(kind: NoticeKind, type: ChannelType): TemplateText {
  const { subject, body } = TEXTS[kind];
  return type === "email" ? { subject: `[{{server}}] ${subject}`, body } : { subject, body };
}
