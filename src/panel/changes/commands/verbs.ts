import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { t } from "elysia";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { NameText } from "../../../kernel/http/schema.ts";
import { schemaReason } from "../../../kernel/http/schema-reason.ts";
import type { Actor } from "../../actor.ts";
import { requireOwnPermission } from "../../people/sessions/index.ts";
import { fail, TAGS_MAX, Tag } from "./contract.ts";

/** One kind of command. */
export interface Verb {
  type: string;
  /** Done here, because nodes keep no tags; others are done by the node. */
  isOurs: boolean;
  payload: Record<string, unknown>;
}

const closed = { additionalProperties: false };
const OneLine = NameText(64);
/** An app by its id, or by its name, which is the same on many nodes where the id is not. */
const AppTarget = t.Union([t.Object({ app_id: OneLine }, closed), t.Object({ app: OneLine }, closed)]);
/** The same with a version of the app. */
const Release = { version: t.Optional(t.String({ pattern: "^[0-9A-Za-z.+_-]{1,64}$" })) };
const AppRelease = t.Union([
  t.Object({ app_id: OneLine, ...Release }, closed),
  t.Object({ app: OneLine, ...Release }, closed),
]);
const Tags = t.Object({ tags: t.Array(Tag, { minItems: 1, maxItems: TAGS_MAX }) }, closed);

/** Everything that may be sent; a node refuses what it does not know, and runs programs of its own list alone. */
const PARAMS: Readonly<Record<string, TSchema>> = {
  "update.apply": t.Object(
    {
      version: t.Optional(t.String({ pattern: "^[0-9A-Za-z.+-]{1,64}$" })),
      // Nodes go back to an older release only when that is meant, as when a rollout is rolled back.
      allow_older: t.Optional(t.Boolean()),
    },
    closed,
  ),
  "app.start": AppTarget,
  "app.stop": AppTarget,
  "app.restart": AppTarget,
  "app.update": AppRelease,
  // Only from the version that is named, so that who never had it loses nothing.
  "app.rollback": AppRelease,
  run_command: t.Object({ command: OneLine }, closed),
  "inventory.refresh": t.Object({}, closed),
  tag: Tags,
  untag: Tags,
};

/** Shorter names of the same. */
const ALIASES: Readonly<Record<string, string>> = { update: "update.apply", restart: "app.restart" };

/** Reads a command. `version` is what an update without one goes to. Throws `command_unknown`, `invalid_request`. */
export function readVerb(command: string, params: Record<string, unknown>, version: string): Verb {
  const type = (Object.hasOwn(ALIASES, command) ? ALIASES[command] : command) ?? command;
  const shape = Object.hasOwn(PARAMS, type) ? PARAMS[type] : undefined;
  if (!shape) throw fail("command_unknown", { command, known: Object.keys(PARAMS).join(", ") });
  const wrong = Value.Errors(shape, params).First();
  if (wrong) {
    const field = `params${wrong.path.replaceAll("/", ".")}`;
    throw kernelFail("invalid_request", { field, reason: schemaReason(wrong.message, wrong.schema) });
  }
  const payload = type === "update.apply" ? { version, ...params } : params;
  return { type, isOurs: type === "tag" || type === "untag", payload };
}

/**
 * Throws where somebody has a node go back to an older release, with faults that are known by now, who may not do everything to it:
 * `permission_missing`, `staff_use_admin_console`.
 */
export function requireMaySend(actor: Actor, payload: Verb["payload"]): void {
  if (payload["allow_older"] === true) requireOwnPermission(actor, "fleet:shell");
}
