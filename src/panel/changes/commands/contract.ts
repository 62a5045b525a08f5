import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { can } from "../../access.ts";
import type { PanelEvent } from "../../event-meaning.ts";
import { NodeId } from "../../fleet/fleet/contract.ts";
import { TAGS_MAX, Tag } from "../../fleet/fleet-groups/contract.ts";
import { Id } from "../../schemas.ts";

export { TAGS_MAX, Tag };

/** Nodes of one call; more than that is work for a bulk job. */
export const TARGETS_MAX = 500;
/** Commands that wait for one node. */
export const WAITING_MAX = 50;
/** Characters of an output, and of an error, that a list tells; the whole is told of one command alone. */
export const SAID_MAX = 500;

export const CommandInput = t.Object({
  instance_ids: t.Array(NodeId, { minItems: 1, maxItems: TARGETS_MAX }),
  command: t.String({ minLength: 1, maxLength: 64 }),
  params: t.Optional(t.Record(t.String({ maxLength: 64 }), t.Unknown(), { maxProperties: 20 })),
});
export type CommandInput = Static<typeof CommandInput>;

export const CommandStatus = t.Union([
  t.Literal("queued"),
  t.Literal("sent"),
  t.Literal("running"),
  t.Literal("succeeded"),
  t.Literal("failed"),
  t.Literal("refused"),
  t.Literal("cancelled"),
]);
export type CommandStatus = Static<typeof CommandStatus>;

export const CommandsSent = t.Object({
  commands: t.Array(t.Object({ id: t.String(), instance_id: t.String(), status: CommandStatus })),
  /** Nodes that get none, and why. */
  skipped: t.Array(
    t.Object({
      instance_id: t.String(),
      reason: t.Union([
        t.Literal("not_found"),
        t.Literal("queue_full"),
        t.Literal("too_many_tags"),
        t.Literal("app_not_found"),
      ]),
    }),
  ),
});
export type CommandsSent = Static<typeof CommandsSent>;

export const Command = t.Object({
  id: t.String(),
  instance_id: t.String(),
  /** Null for a node that was deleted. */
  hostname: NullableText,
  command: t.String(),
  params: t.Record(t.String(), t.Unknown()),
  status: CommandStatus,
  /** What the node said; in lists the beginning of it. */
  output: NullableText,
  /**
   * Ours: there was more. Of a command that is asked for by itself: the rest is not kept, because it is not over yet, or because newer
   * outputs of the workspace took its room.
   */
  output_truncated: t.Boolean(),
  error: NullableText,
  created_by: t.String(),
  /** Null for a member who is gone. */
  created_by_name: NullableText,
  created_at: t.String(),
  expires_at: t.String(),
  sent_at: NullableText,
  finished_at: NullableText,
});
export type Command = Static<typeof Command>;

export const CommandsQuery = t.Object({
  instance_id: t.Optional(NodeId),
  status: t.Optional(CommandStatus),
  limit: t.Optional(t.Integer({ minimum: 1, maximum: 200 })),
  /** Those older than this one. */
  before: t.Optional(Id),
});
export type CommandsQuery = Static<typeof CommandsQuery>;
export const CommandList = t.Object({ commands: t.Array(Command) });
export const CommandParams = t.Object({ id: Id });

export type CommandEvents = {
  /** Sent to so many nodes, the first ones by name; `node_id` is the first that was asked for. */
  "fleet.command": PanelEvent & {
    node_id: string;
    command: string;
    params: Record<string, unknown>;
    instances: number;
    instance_ids: string[];
  };
  /** What a node says became of a command, or what is said in its place when it never came for it. */
  "fleet.command.result": PanelEvent & { node_id: string; command: string; command_id: string; status: CommandStatus };
  "fleet.command.cancel": PanelEvent & { node_id: string; command: string; command_id: string };
};

export const fail = defineErrors({
  command_unknown: [400, "There is no command {command}. Possible are: {known}."],
  command_not_found: [404, "There is no command {id} in this workspace, or it is long over."],
  command_under_way: [409, "This command is {status}; only one that still waits here can be cancelled."],
});

const access = can("fleet:write");

export const commandRoutes = defineRoutes({
  "POST /api/fleet/commands": { access, body: CommandInput, out: CommandsSent },
  "GET /api/fleet/commands": { access, query: CommandsQuery, out: CommandList },
  "GET /api/fleet/commands/{id}": { access, params: CommandParams, out: Command },
  "POST /api/fleet/commands/{id}/cancel": { access, params: CommandParams, out: Command },
});
export type CommandApi = ApiOf<typeof commandRoutes>;
