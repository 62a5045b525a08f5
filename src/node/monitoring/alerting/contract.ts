import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NameText, Nullable, NullableNumber, NullableText } from "../../../kernel/http/schema.ts";
import { admin, member, user } from "../../access.ts";
import type { Notice } from "../alert-channels/contract.ts";

/** Seconds, or a text such as `90s`, `5m`, `4h`, `1d`. */
const Span = t.Union([
  t.Integer({ minimum: 0, maximum: 2_592_000 }),
  t.String({ pattern: "^\\d{1,7}(s|m|h|d)$", maxLength: 8 }),
]);
const Level = t.Number({ minimum: -1e18, maximum: 1e18 });
const Entity = t.String({ minLength: 1, maxLength: 300 });

// Unions of literals, not UnionEnum: that would fill in its first value for a field that was left out.
export const RuleType = t.Union([
  t.Literal("threshold"),
  t.Literal("rate"),
  t.Literal("absence"),
  t.Literal("anomaly"),
  t.Literal("state"),
]);
export type RuleType = Static<typeof RuleType>;
export const Severity = t.Union([t.Literal("info"), t.Literal("warning"), t.Literal("critical")]);
export type Severity = Static<typeof Severity>;
const OpWord = t.Union([t.Literal(">"), t.Literal(">="), t.Literal("<"), t.Literal("<=")]);
/** Channels by id, or every one that is switched on. */
const Channels = t.Union([t.Literal("all"), t.Array(t.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })]);
export type Channels = Static<typeof Channels>;

const conditionFields = {
  metric: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  /** `host`, `app:<id>`, `app:*`, `fs:/data`, `iface:*`, `disk:*` … */
  entity: t.Optional(Entity),
  op: t.Optional(OpWord),
  threshold: t.Optional(Level),
  clear_threshold: t.Optional(Nullable(Level)),
  for: t.Optional(Span),
  clear_for: t.Optional(Span),
  /** Anomalies: how many standard deviations from usual. */
  sensitivity: t.Optional(t.Number({ minimum: 0.5, maximum: 20 })),
};
const deliveryFields = {
  /** Least time between two messages that the same thing fired. */
  cooldown: t.Optional(Span),
  /** Time between reminders while it lasts; 0 sends none. */
  repeat: t.Optional(Span),
  severity: t.Optional(Severity),
  channel_ids: t.Optional(Nullable(Channels)),
  enabled: t.Optional(t.Boolean()),
  /** Own wording of the message, with `{{entity_name}}`, `{{value}}` and the like. */
  template: t.Optional(Nullable(t.String({ maxLength: 1000 }))),
};
const Name = NameText(80);

export const RuleInput = t.Object({
  name: t.Optional(Name),
  type: RuleType,
  ...conditionFields,
  ...deliveryFields,
});
export type RuleInput = Static<typeof RuleInput>;

/** Fields that are left out keep their value. */
export const RuleChange = t.Partial(RuleInput);
export type RuleChange = Static<typeof RuleChange>;

/** A rule; all spans in seconds. */
export const AlertRule = t.Object({
  id: t.String(),
  name: t.String(),
  type: RuleType,
  metric: t.String(),
  entity: t.String(),
  op: OpWord,
  threshold: t.Number(),
  clear_threshold: t.Number(),
  for: t.Integer(),
  clear_for: t.Integer(),
  sensitivity: t.Number(),
  cooldown: t.Integer(),
  repeat: t.Integer(),
  severity: Severity,
  channel_ids: Channels,
  enabled: t.Boolean(),
  template: NullableText,
  /** Unit of the threshold: percent, bytes, bps, celsius; null where there is none. */
  unit: NullableText,
  /** True for the rules that Orrery began with. */
  starter: t.Boolean(),
  created_by: NullableText,
  created_at: t.String(),
  updated_at: t.String(),
  last_fired_at: NullableText,
  open_events: t.Integer(),
});
export type AlertRule = Static<typeof AlertRule>;

const IdParams = t.Object({ id: t.String({ maxLength: 64 }) });

/** What a rule would have done in the last 24 hours. */
export const RulePreview = t.Object({
  /** `insufficient_data` when the past cannot tell, with the reason. */
  status: t.Union([t.Literal("ok"), t.Literal("insufficient_data")]),
  reason: NullableText,
  would_fire: t.Integer(),
  from: t.String(),
  to: t.String(),
  /** Minutes of the 24 hours that were measured, 0 to 1. */
  coverage: t.Number(),
  spans: t.Array(
    t.Object({
      entity: t.String(),
      entity_name: t.String(),
      started_at: t.String(),
      /** Null while it would still fire. */
      ended_at: NullableText,
      peak: NullableNumber,
    }),
  ),
  /** The entity that was worst: one value (the worst) for each step. */
  chart: Nullable(
    t.Object({
      entity: t.String(),
      entity_name: t.String(),
      start: t.String(),
      step_seconds: t.Integer(),
      values: t.Array(NullableNumber),
      threshold: t.Number(),
      clear_threshold: t.Number(),
      unit: NullableText,
    }),
  ),
});
export type RulePreview = Static<typeof RulePreview>;

/** What rules can be about on this server. */
export const RuleTargets = t.Object({
  metrics: t.Array(t.Object({ name: t.String(), kind: t.String(), label: t.String(), unit: NullableText })),
  states: t.Array(t.Object({ name: t.String(), kind: t.String(), label: t.String(), unit: NullableText })),
  entities: t.Array(t.Object({ entity: t.String(), kind: t.String(), name: t.String() })),
});
export type RuleTargets = Static<typeof RuleTargets>;

export const EventState = t.Union([t.Literal("firing"), t.Literal("resolved")]);

/** One episode. */
export const AlertEvent = t.Object({
  id: t.String(),
  state: EventState,
  /** Type of the rule, or `no_data`. */
  type: t.String(),
  rule_id: NullableText,
  rule_name: t.String(),
  severity: Severity,
  entity: t.String(),
  entity_name: t.String(),
  metric: NullableText,
  value: NullableNumber,
  threshold: NullableNumber,
  /** percent, bytes, bps, celsius; null where there is none. */
  unit: NullableText,
  message: t.String(),
  /** When the value went bad, when that had lasted long enough, and when it was over. */
  started_at: t.String(),
  fired_at: t.String(),
  resolved_at: NullableText,
  /** Why it ended: recovered, rule_changed, rule_disabled, rule_deleted, entity_stopped or entity_removed. */
  resolution: NullableText,
  peak: NullableNumber,
  duration_seconds: t.Integer(),
  flapping: t.Boolean(),
  /** It fired in a maintenance window: telling waits for its end. */
  suppressed: t.Boolean(),
  /** When people were told that it fires; null while that is held back. */
  notified_at: NullableText,
  reminders: t.Integer(),
  acknowledged_at: NullableText,
  acknowledged_by: NullableText,
  silenced_until: NullableText,
  channel_ids: Channels,
});
export type AlertEvent = Static<typeof AlertEvent>;

/** Something that was done shortly before an alert. */
const AlertChange = t.Object({
  at: t.String(),
  title: t.String(),
  /** Page of the dashboard; null when there is none. */
  link: NullableText,
});
export type AlertChange = Static<typeof AlertChange>;

/** One episode with what was done to the same app or server in the hour before it began, newest first. */
export const AlertEventDetail = t.Object({ ...AlertEvent.properties, changes: t.Array(AlertChange) });
export type AlertEventDetail = Static<typeof AlertEventDetail>;

export const EventQuery = t.Object({
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  /** Id of the last event of the page before. */
  cursor: t.Optional(t.String({ maxLength: 64 })),
  state: t.Optional(EventState),
  severity: t.Optional(Severity),
  rule_id: t.Optional(t.String({ maxLength: 64 })),
  entity: t.Optional(Entity),
  from: t.Optional(t.String({ maxLength: 40 })),
  to: t.Optional(t.String({ maxLength: 40 })),
});
export type EventQuery = Static<typeof EventQuery>;

/** A time to be quiet until, or how long from now; neither ends the silence. */
export const SilenceInput = t.Object({
  until: t.Optional(Nullable(t.String({ maxLength: 40 }))),
  for: t.Optional(Span),
});
export type SilenceInput = Static<typeof SilenceInput>;

export const fail = defineErrors({
  alert_rule_not_found: [404, "There is no alert rule {id}. It may have been deleted; load the list again."],
  alert_rule_limit: [409, "There can be {limit} alert rules{whose}. Delete one first."],
  alert_rule_invalid: [400, "{field}: {reason}"],
  alert_metric_unknown: [400, "{metric} cannot be watched by a rule of type {type}. Known are {known}."],
  alert_rule_foreign: [403, "Only who made this rule, or an admin, can change it."],
  alert_event_not_found: [404, "There is no alert event {id}. Events are kept for a year."],
  alert_event_over: [409, "This alert is over already, so there is nothing to {action}."],
  alert_event_cursor_unknown: [400, "There is no alert event {cursor} to go on from."],
});

/** What is told about an alert on the bus. */
export type AlertNotice = Notice;

type RuleActor = { user_id: string; rule_id: string; name: string; ip: string };

export type AlertingEvents = {
  "alert.fired": AlertNotice;
  "alert.resolved": AlertNotice;
  "alert.acknowledged": { event_id: string; user_id: string };
  "alert_rule.created": RuleActor;
  "alert_rule.changed": RuleActor & { fields: string[] };
  "alert_rule.deleted": RuleActor;
};

const read = user("alerts");
const write = member("alerts");
const change = admin("alerts");
const Said = t.Object({ message: t.String() });

export const alertingRoutes = defineRoutes({
  "GET /api/alerting/rules": { access: read, out: t.Array(AlertRule) },
  "POST /api/alerting/rules": { access: write, body: RuleInput, out: AlertRule },
  "GET /api/alerting/rules/targets": { access: read, out: RuleTargets },
  "POST /api/alerting/rules/preview": { access: read, body: RuleInput, out: RulePreview },
  "GET /api/alerting/rules/{id}": { access: read, params: IdParams, out: AlertRule },
  "PUT /api/alerting/rules/{id}": { access: write, params: IdParams, body: RuleChange, out: AlertRule },
  "DELETE /api/alerting/rules/{id}": { access: write, params: IdParams, out: Said },
  "GET /api/alerting/events": { access: read, query: EventQuery, out: t.Array(AlertEvent) },
  "GET /api/alerting/events/{id}": { access: read, params: IdParams, out: AlertEventDetail },
  "POST /api/alerting/events/{id}/acknowledge": { access: change, params: IdParams, out: AlertEvent },
  "POST /api/alerting/events/{id}/silence": {
    access: change,
    params: IdParams,
    body: SilenceInput,
    out: AlertEvent,
  },
});
export type AlertingApi = ApiOf<typeof alertingRoutes>;
