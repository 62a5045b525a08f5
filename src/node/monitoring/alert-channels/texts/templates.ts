import {
  CHANNEL_TYPES,
  type ChannelType,
  fail,
  NOTICE_KINDS,
  type NoticeKind,
  type Template,
  type TemplateInput,
  type TemplateList,
} from "../contract.ts";
import type { Needs } from "../needs.ts";
import { listRecentEvents } from "../outbox/outbox-store.ts";
import { defaultTemplate, type TemplateText } from "./default-templates.ts";
import { unknownVariables } from "./fill.ts";
import * as store from "./template-store.ts";
import { VARIABLES } from "./variables.ts";

const MAX_RECENT = 10;

type Deps = Pick<Needs, "db" | "bus">;

/** The text that notices of this kind are written from: the admin's, or the one that Orrery brings. */
export function textInForce({ db }: Pick<Deps, "db">, kind: NoticeKind, type: ChannelType): TemplateText {
  return store.findTemplate(db, kind, type) ?? defaultTemplate(kind, type);
}

/** Every text in force, what they may name, and events to preview them with. */
export function listTemplates({ db }: Pick<Deps, "db">): TemplateList {
  const custom = new Map(store.listTemplates(db).map((row) => [`${row.kind} ${row.channel_type}`, row]));
  const templates = NOTICE_KINDS.flatMap((kind) =>
    CHANNEL_TYPES.map((channel_type): Template => {
      const own = custom.get(`${kind} ${channel_type}`);
      const { subject, body } = own ?? defaultTemplate(kind, channel_type);
      return { kind, channel_type, subject, body, is_custom: own !== undefined };
    }),
  );
  const variables = Object.entries(VARIABLES).map(([name, meaning]) => ({ name, meaning }));
  return { variables, templates, recent_events: listRecentEvents(db, MAX_RECENT) };
}

/** Throws `template_variable_unknown` for a text that names what does not exist. */
export function checkVariables(text: Partial<TemplateText>): void {
  for (const field of ["subject", "body"] as const) {
    const variable = unknownVariables(text[field] ?? "")[0];
    if (variable === undefined) continue;
    const known = Object.keys(VARIABLES).join(", ");
    throw fail("template_variable_unknown", { field, variable: `{{${variable}}}`, known });
  }
}

/**
 * Replaces the text of one kind and channel type; without subject and body the one that Orrery brings comes back. What is
 * queued already keeps its words. Throws `template_variable_unknown`.
 */
export function writeTemplate(
  { db, bus }: Deps,
  by: { user_id: string; ip: string },
  { kind, channel_type, ...text }: TemplateInput,
): Template {
  checkVariables(text);
  const is_custom = text.subject !== undefined || text.body !== undefined;
  return db.tx(() => {
    const { subject, body } = is_custom
      ? { ...textInForce({ db }, kind, channel_type), ...text }
      : defaultTemplate(kind, channel_type);
    if (is_custom) store.saveTemplate(db, { kind, channel_type, subject, body });
    if (!is_custom) store.deleteTemplate(db, kind, channel_type);
    bus.emit("channel.template_changed", { ...by, kind, channel_type, is_custom });
    return { kind, channel_type, subject, body, is_custom };
  });
}
