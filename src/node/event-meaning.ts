/** What an event means to people. Each feature says it of its own events; audit, timeline, webhooks and alerting know no feature. */

/** A line of the audit log, before it has an id and a place in the chain. */
export interface AuditLine {
  /** Kind and id: `session:ses_1`. */
  resource: string;
  details: Record<string, unknown>;
  ip_address: string;
}

/** An event as the timeline tells it. */
export interface TimelineLine {
  category: "app" | "backup" | "alert" | "update" | "auth" | "system";
  severity: "info" | "warning" | "critical";
  title: string;
  /** Kind and id; absent for the server itself. */
  subject?: readonly [kind: string, id: string];
  /** Page of the dashboard. */
  link?: string;
  /** Who sees it besides admins: everybody, or the user it is about; nobody when absent. */
  audience?: "everybody" | { user_id: string };
  /** Worth a notification. */
  isInbox?: boolean;
  /** Repeats that share this text are counted together for a while. */
  fold?: string;
}

/** Names of users by id. */
export type NameOf = (userId: string) => string;

/** An event that webhooks can subscribe to. */
export interface WebhookMeaning<Data> {
  /** What triggers it, in words. */
  trigger: string;
  /** The `data` of the envelope; left out, what the event tells. */
  present?(data: Data): object;
}

/** What an event says about something that can be good or bad; `gone` ends everything about an entity. */
export type AlertWord =
  | { metric: string; entity: string; name: string | null; bad: boolean; message: string }
  | { gone: string; ending: "entity_stopped" | "entity_removed" };

/** All that an event means; what is left out it does not mean, and null means: not this time. */
export interface EventMeaning<Data = unknown> {
  audit?(data: Data): AuditLine | null;
  timeline?(data: Data, nameOf: NameOf): TimelineLine | null;
  webhook?: WebhookMeaning<Data>;
  alert?(data: Data): AlertWord | null;
}

/** What a feature's events mean, by their names. */
export type EventMeanings<Events> = { readonly [Name in keyof Events]?: EventMeaning<Events[Name]> };

/** Declares what a feature's events mean: `defineMeanings<SessionEvents>()({ … })`. */
export const defineMeanings =
  <Events>() =>
  <const Meanings extends EventMeanings<Events>>(meanings: Meanings): Meanings =>
    meanings;
