/** What an event means to people. Each feature says it of its own events; audit, timeline, webhooks and alerting know no feature. */
import type { Feature } from "../kernel/feature.ts";
import type { UnionToIntersection } from "../lib/union-to-intersection.ts";

/** A line of the audit log, before it has an id and a place in the chain. */
export interface AuditLine {
  /** Kind and id: `session:ses_1`. */
  resource: string;
  details: Record<string, unknown>;
  ip_address: string;
}

/** An event as the timeline tells it; the inbox is made of the lines that are worth a notification. */
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
  /** The event tells how `of` is, again and again: only what turns bad, and what then turns good, is worth a line. */
  turn?: { of: string; bad: boolean };
}

/** Names of users by id. */
export type NameOf = (userId: string) => string;

/** An event that webhooks can subscribe to. */
export interface WebhookMeaning<Data = object> {
  /** What triggers it, in words. */
  trigger: string;
  /** The `data` of the envelope; left out, what the event tells. */
  present?(data: Data): object;
  /** What other features raise as an alarm of their own is sent under this type too. */
  carriesAlarms?: boolean;
  /** Nothing emits it yet: it can be subscribed to, and is not offered. */
  isToCome?: boolean;
}

/** An event in the dashboard's live stream. */
export interface LiveLine {
  /** Its name there; left out, the event's own. */
  name?: string;
  /** Everybody who is signed in, admins, or the user it is about alone. */
  audience: "everybody" | "admins" | { user_id: string };
}

/** What an event says about something that can be good or bad; `gone` ends everything about an entity. */
export type AlertWord =
  | { metric: string; entity: string; name: string | null; bad: boolean; message: string }
  | { gone: string; ending: "entity_stopped" | "entity_removed" };

/** An event that is trouble when it comes too often: so long as `limit` of them lie within `within_ms`, the state is bad. */
export interface AlertCount<Data = object> {
  /** The state that rules watch. */
  metric: string;
  /** The name that the single ones are remembered under. */
  counted: string;
  limit: number;
  within_ms: number;
  count(data: Data): { entity: string; name: string; times: number };
  /** What is told when there are too many. */
  message(data: Data, count: number): string;
}

/** Something that was done to an app or this server, which an alert soon after may come from. */
export interface ChangeMeaning {
  /** What stands for the timeline's line in messages that leave the server, where that names what is nobody's concern. */
  outside?: string;
}

/** All that an event means; what is left out it does not mean, and null means: not this time. */
export interface EventMeaning<Data = object> {
  audit?(data: Data): AuditLine | null;
  timeline?(data: Data, nameOf: NameOf): TimelineLine | null;
  webhook?: WebhookMeaning<Data>;
  live?(data: Data): LiveLine | null;
  alert?(data: Data): AlertWord | null;
  alertCount?: AlertCount<Data>;
  /** Somebody may have lost what they were let in by, or have it again: what lasts is decided anew at once. */
  changesAccess?: true;
  /** Alerts name it when they fire soon after; takes a line of the timeline. */
  change?: ChangeMeaning;
  /** The user who is gone with it: what is kept for that user alone goes too. */
  goneUser?(data: Data): string;
}

/** What a feature's events mean, by their names; every event of the feature may have a meaning, none must. */
export type EventMeanings<Events> = { readonly [Name in keyof Events]?: EventMeaning<Events[Name]> };

/** The events of features, as their meanings tell them. */
export type EventsOf<Features extends readonly NodeFeature[]> = UnionToIntersection<
  Features[number] extends infer One ? (One extends { events: EventMeanings<infer Events> } ? Events : never) : never
>;

/** What every event of the program means, by its name. */
export type AllMeanings = ReadonlyMap<string, EventMeaning>;

/** The static half of a feature of the node. */
export type NodeFeature = Feature<EventMeaning>;
