import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { Nullable, NullableText } from "../../../kernel/http/schema.ts";
import { signedIn } from "../../access.ts";
import { NOTICE_KINDS } from "../../event-meaning.ts";
import { MailOutcome } from "../../platform/mail/contract.ts";
import { Id } from "../../schemas.ts";

const Kind = t.UnionEnum([...NOTICE_KINDS]);

export const Notification = t.Object({
  id: t.String(),
  kind: Kind,
  severity: t.UnionEnum(["info", "success", "warning", "critical"]),
  title: t.String(),
  body: t.String(),
  /** A page of this panel. */
  link: t.String(),
  read_at: NullableText,
  created_at: t.String(),
});
export type Notification = Static<typeof Notification>;

const UnreadCount = t.Object({ unread_count: t.Integer() });

export const NotificationsQuery = t.Object({
  unread: t.Optional(t.Union([t.Literal("1"), t.Literal("0"), t.Literal("true"), t.Literal("false")])),
  limit: t.Integer({ minimum: 1, maximum: 200, default: 50 }),
  /** Only those before the one with this id: the last one of the page before. */
  before: t.Optional(Id),
});
export type NotificationsQuery = Static<typeof NotificationsQuery>;

/** Newest first. */
export const NotificationList = t.Object({ unread_count: t.Integer(), notifications: t.Array(Notification) });
export type NotificationList = Static<typeof NotificationList>;

/** The kinds that members choose how to hear of; what concerns the safety of an account is always told. */
export const CHOSEN_KINDS = [
  "incident.opened",
  "incident.escalated",
  "node.offline",
  "canary.paused",
  "invitation.accepted",
] as const satisfies readonly (typeof NOTICE_KINDS)[number][];
export type ChosenKind = (typeof CHOSEN_KINDS)[number];

/** How to tell of one kind: in the list, and by mail. */
const Ways = t.Object({ inapp: t.Boolean(), email: t.Boolean() });
const kinds = t.Object({
  "incident.opened": Ways,
  "incident.escalated": Ways,
  "node.offline": Ways,
  "canary.paused": Ways,
  "invitation.accepted": Ways,
});

const Time = t.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "must be a time such as 07:30" });

/** When mail comes; what is critical waits for nothing. */
const delivery = {
  /** At once, all of a day at `digest_at`, or all of a week on Monday at that time. */
  digest: t.Union([t.Literal("now"), t.Literal("daily"), t.Literal("weekly")]),
  digest_at: Time,
  /** The hours in which mail that would come at once waits. */
  quiet: Nullable(t.Object({ from: Time, to: Time })),
  /** An IANA name. */
  time_zone: t.String({ maxLength: 64 }),
};
export const Delivery = t.Object(delivery);
export type Delivery = Static<typeof Delivery>;

/** Of when mail comes, what is left out stays as it is. */
export const PreferencesInput = t.Object({ kinds, ...t.Partial(Delivery).properties });
export type PreferencesInput = Static<typeof PreferencesInput>;

export const Preferences = t.Object({
  kinds,
  ...delivery,
  /** Whether this panel sends mail at all. */
  by_mail: t.Boolean(),
  /** What became of the last letter of this workspace to the caller; null where none was sent. */
  mail: Nullable(MailOutcome),
});
export type Preferences = Static<typeof Preferences>;

export const fail = defineErrors({
  notification_zone_unknown: [400, "{time_zone} is no time zone. Use a name such as Europe/Berlin."],
  notification_quiet_empty: [400, "Quiet hours begin and end at different times. Leave them out to have none."],
  notification_not_found: [404, "There is no notification {id} for you. They are kept for 30 days."],
});

const preferences = {
  read: { access: signedIn(), out: Preferences },
  write: { access: signedIn(), body: PreferencesInput, out: Preferences },
} as const;

export const notificationRoutes = defineRoutes({
  "GET /api/notifications": { access: signedIn(), query: NotificationsQuery, out: NotificationList },
  "GET /api/notifications/count": { access: signedIn(), out: UnreadCount },
  "POST /api/notifications/{id}/read": {
    access: signedIn(),
    params: t.Object({ id: Id }),
    out: t.Object({ id: t.String(), read: t.Literal(true), unread_count: t.Integer() }),
  },
  "POST /api/notifications/read-all": {
    access: signedIn(),
    out: t.Object({ updated: t.Integer(), unread_count: t.Integer() }),
  },
  "GET /api/profile/notifications": preferences.read,
  "PUT /api/profile/notifications": preferences.write,
  "GET /api/auth/notifications": preferences.read,
  "PUT /api/auth/notifications": preferences.write,
});
export type NotificationApi = ApiOf<typeof notificationRoutes>;
