import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

export const CATEGORIES = ["app", "backup", "alert", "update", "auth", "system"] as const;

export const TimelineCategory = t.Union([
  t.Literal("app"),
  t.Literal("backup"),
  t.Literal("alert"),
  t.Literal("update"),
  t.Literal("auth"),
  t.Literal("system"),
]);
export type TimelineCategory = Static<typeof TimelineCategory>;

export const Severity = t.Union([t.Literal("info"), t.Literal("warning"), t.Literal("critical")]);
export type Severity = Static<typeof Severity>;

export const TimelineEntry = t.Object({
  id: t.String(),
  category: TimelineCategory,
  /** The event's own name, for example `app.crashed`. */
  type: t.String(),
  severity: Severity,
  /** What happened, in plain words. */
  title: t.String(),
  /** How often it happened; above 1 where repeats are counted together. */
  count: t.Integer(),
  /** What it happened to; null for the server itself. */
  subject: Nullable(t.Object({ kind: t.String(), id: t.String() })),
  /** Page of the dashboard that shows the subject. */
  link: NullableText,
  timestamp: t.String(),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/** ISO 8601 with a date; a time without zone is UTC. */
const Moment = t.String({ minLength: 4, maxLength: 40 });
/** One category, or several separated by commas. */
const Categories = t.String({
  minLength: 1,
  maxLength: 64,
  pattern: "^(app|backup|alert|update|auth|system)(,(app|backup|alert|update|auth|system))*$",
  description: `must be one or more of ${CATEGORIES.join(", ")}, separated by commas`,
});

const filters = {
  category: t.Optional(Categories),
  /** From this moment on. */
  from: t.Optional(Moment),
  /** Before this moment. */
  to: t.Optional(Moment),
  /** Text in the title; capitals do not matter. */
  q: t.Optional(t.String({ maxLength: 100 })),
};

export const TimelineQuery = t.Object({
  ...filters,
  /** What it happened to, for example `app:app_01…`. */
  subject: t.Optional(
    t.String({
      maxLength: 100,
      pattern: "^[a-z_]{1,32}:.+$",
      description: "must be a kind and an id, such as app:app_01",
    }),
  ),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 500 })),
  /** `next_cursor` of the page before. */
  cursor: t.Optional(
    t.String({
      maxLength: 40,
      pattern: "^\\d{1,16}\\.\\d{1,16}$",
      description: "must be next_cursor of the page before",
    }),
  ),
});
export type TimelineQuery = Static<typeof TimelineQuery>;

/** Newest first; `next_cursor` is null on the last page. */
export const TimelinePage = t.Object({
  items: t.Array(TimelineEntry),
  next_cursor: NullableText,
});
export type TimelinePage = Static<typeof TimelinePage>;

export const StatsQuery = t.Object({ from: filters.from, to: filters.to, q: filters.q });
export type StatsQuery = Static<typeof StatsQuery>;

/** How many entries each category has. */
export const TimelineStats = t.Object({
  app: t.Integer(),
  backup: t.Integer(),
  alert: t.Integer(),
  update: t.Integer(),
  auth: t.Integer(),
  system: t.Integer(),
});
export type TimelineStats = Static<typeof TimelineStats>;

export const InboxItem = t.Object({ ...TimelineEntry.properties, read: t.Boolean() });
export type InboxItem = Static<typeof InboxItem>;

export const InboxQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  cursor: TimelineQuery.properties.cursor,
});
export type InboxQuery = Static<typeof InboxQuery>;

/** What deserves to be noticed, newest first. `unread` counts all of it, not only this page. */
export const Inbox = t.Object({
  items: t.Array(InboxItem),
  unread: t.Integer(),
  next_cursor: NullableText,
});
export type Inbox = Static<typeof Inbox>;

export const Unread = t.Object({ unread: t.Integer() });
export const InboxParams = t.Object({ id: t.String({ maxLength: 64 }) });

export const fail = defineErrors({
  inbox_item_not_found: [404, "There is no notification {id}. It may have been old and was removed."],
});

export type TimelineEvents = {
  /** The node has come up. `before` is the version that ran last, null on the first start. */
  "system.node_started": { version: string; before: string | null };
};

export const timelineRoutes = defineRoutes({
  "GET /api/timeline": { access: user("monitoring"), query: TimelineQuery, out: TimelinePage },
  "GET /api/timeline/stats": { access: user("monitoring"), query: StatsQuery, out: TimelineStats },
  "GET /api/inbox": { access: user("monitoring"), query: InboxQuery, out: Inbox },
  "POST /api/inbox/read": { access: user(), out: Unread },
  "POST /api/inbox/{id}/read": { access: user(), params: InboxParams, out: Unread },
});
export type TimelineApi = ApiOf<typeof timelineRoutes>;
