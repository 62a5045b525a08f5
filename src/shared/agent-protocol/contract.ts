import { type Static, t } from "elysia";
import { defineErrors } from "../../kernel/http/errors.ts";
import { NameText, Nullable } from "../../kernel/http/schema.ts";

/** The paths of the agent protocol; all are POST but `control`. */
export const AGENT_PATHS = {
  register: "/api/agent/v1/register",
  renew: "/api/agent/v1/renew",
  heartbeat: "/api/agent/v1/heartbeat",
  /** GET: begins the session on which heartbeats, and all else, go in both directions; see `SESSION_PROTOCOL`. */
  control: "/api/agent/v1/control",
} as const;

/** A node's name for itself; it becomes the common name of its certificate. */
const InstanceId = t.String({
  pattern: "^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$",
  description: "must begin with a letter or digit, and hold no more than those, dots, dashes and underlines",
});
const Pem = t.String({ minLength: 1, maxLength: 8_192 });
/** A number that no table and no sum of a fleet can hold is refused: it would be the whole panel's trouble, not one node's. */
const Percent = Nullable(t.Number({ minimum: 0, maximum: 1_000_000 }));
const Count = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
/** Bytes per second. */
const Rate = Nullable(t.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
/** PostgreSQL keeps no text with a NUL. */
const Line = (maxLength: number) =>
  t.String({ minLength: 1, maxLength, pattern: "^[^\\u0000]+$", description: "must hold no NUL" });
const Text = (maxLength: number) => t.String({ maxLength });

export const RegisterInput = t.Object({
  registration_token: t.String({ minLength: 1, maxLength: 256 }),
  instance_id: InstanceId,
  hostname: NameText(253),
  version: NameText(64),
  csr: Pem,
  /** SHA-256 of what makes the hardware this one. */
  hardware_fingerprint: Line(128),
});
export type RegisterInput = Static<typeof RegisterInput>;

/** What every answer carries, so that a node sees how far its clock is off. */
const ServerTime = { server_time: t.String() };

export const RegisterOutput = t.Object({
  /** The node's certificate and the one that signed it. */
  signed_certificate: t.String(),
  /** Every root that the node has to trust; two during a change. */
  ca_certificate: t.String(),
  license_token: t.String(),
  cert_expires_at: t.String(),
  cp_node_secret: t.String(),
  /** Where people reach the panel, when it knows. */
  panel_url: t.Optional(t.String()),
  ...ServerTime,
});
export type RegisterOutput = Static<typeof RegisterOutput>;

export const RenewInput = t.Object({ csr: Pem });
export type RenewInput = Static<typeof RenewInput>;

export const RenewOutput = t.Object({
  signed_certificate: t.String(),
  ca_certificate: t.String(),
  cert_expires_at: t.String(),
  ...ServerTime,
});
export type RenewOutput = Static<typeof RenewOutput>;

/** What became of a command; the same id may be told again until an answer came. */
export const CommandResult = t.Object({
  id: t.String({ minLength: 1, maxLength: 64 }),
  status: t.Union([t.Literal("running"), t.Literal("succeeded"), t.Literal("failed"), t.Literal("refused")]),
  output: t.Optional(Text(65_536)),
  error: t.Optional(Text(2_000)),
});
export type CommandResult = Static<typeof CommandResult>;

const AppReport = t.Object({
  app_id: t.String({ minLength: 1, maxLength: 64 }),
  name: Text(128),
  status: Text(32),
  image: Text(512),
  cpu_percent: Percent,
  mem_bytes: Nullable(Count),
  restart_count: Count,
});

/** Status, a summary of what was measured and the inventory; all else is for those who have it. */
export const HeartbeatInput = t.Object({
  status: t.Union([t.Literal("ok"), t.Literal("critical")]),
  /** Null and left out are unknown. */
  metrics: t.Object({
    cpu_percent: t.Optional(Percent),
    memory_percent: t.Optional(Percent),
    disk_percent: t.Optional(Percent),
    net_in: t.Optional(Rate),
    net_out: t.Optional(Rate),
    /** Percent of the requests that the node answered since it was heard last which failed unforeseen. */
    error_rate: t.Optional(Nullable(t.Number({ minimum: 0, maximum: 100 }))),
    /** How many those requests were. */
    requests: t.Optional(Nullable(Count)),
  }),
  /** These two stay what they were while they are left out. */
  version: t.Optional(NameText(64)),
  hostname: t.Optional(NameText(253)),
  /** The node's own time, ISO 8601. */
  sent_at: t.Optional(t.String({ maxLength: 32 })),
  uptime_seconds: t.Optional(Count),
  /** Names the bundle of roots that the node trusts; see `bundleId`. Whoever leaves it out is told the roots each time. */
  ca_id: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  hardware_fingerprint: t.Optional(t.String({ minLength: 1, maxLength: 128 })),
  /** The `jti` of the license that the node has; left out without one. */
  license_id: t.Optional(Text(64)),
  /** Left out while it is the same as last time. What the panel reads of it: `inventoryOf`. */
  inventory: t.Optional(t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 64 })),
  apps: t.Optional(t.Array(AppReport, { maxItems: 1_000 })),
  results: t.Optional(t.Array(CommandResult, { maxItems: 100 })),
});
export type HeartbeatInput = Static<typeof HeartbeatInput>;

export const AgentCommand = t.Object({
  id: t.String(),
  type: t.String(),
  /** A node refuses a command of a lower generation than the highest it has seen for this type. */
  generation: t.Integer({ minimum: 0 }),
  payload: t.Record(t.String(), t.Unknown()),
});
export type AgentCommand = Static<typeof AgentCommand>;

export const HeartbeatOutput = t.Object({
  commands: t.Array(AgentCommand, { maxItems: 100 }),
  next_heartbeat_sec: t.Number({ minimum: 1, maximum: 60 }),
  /** Only when the node's `ca_id` is not the panel's. */
  ca_certificate: t.Optional(t.String()),
  /** Only when the node's `license_id` is not that of the present one: the plan changed, or it was made anew. */
  license_token: t.Optional(t.String()),
  /** As in `RegisterOutput`. */
  panel_url: t.Optional(t.String()),
  ...ServerTime,
});
export type HeartbeatOutput = Static<typeof HeartbeatOutput>;

export const agentFail = defineErrors({
  invalid_csr: [400, "The certificate request {reason}."],
  certificate_required: [401, "This needs the node's client certificate. Register the node first."],
  certificate_superseded: [
    401,
    "This certificate was replaced by a newer one. Use that one, or register the node again with a new token.",
  ],
  certificate_expired: [401, "This certificate has expired. Register the node again with a new token."],
  token_refused: [
    401,
    "The registration token is unknown, used up or expired, or whoever made it may enrol no servers any more. Make a new one on the panel.",
  ],
  node_limit_reached: [
    402,
    "The {plan} plan of this workspace has room for {limit} nodes, and there are {count}. Delete one or upgrade the plan.",
  ],
  node_deleted: [
    403,
    "This node was deleted from its fleet. Register it again with a new token if it is to come back.",
  ],
  workspace_full: [
    413,
    "The {nodes} nodes of this workspace tell of more than the {limit} characters that are kept of them. Run fewer apps on this node, or delete nodes that are not in use.",
  ],
  session_required: [426, "This address only begins a session: ask for it with Upgrade: {protocol}."],
  session_replaced: [
    409,
    "Another connection took the place of this one. If this goes on, another server is a copy of this node: connect one of them anew.",
  ],
  key_in_use: [409, "Another node uses this key: one is a copy of the other. Make a new key and register again."],
  node_alike: [409, "Another node has this id, but for small and capital letters. Give this node another id."],
  node_elsewhere: [409, "This node is registered in another workspace. Delete it there first."],
});
