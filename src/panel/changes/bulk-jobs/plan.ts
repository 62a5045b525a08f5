import { Value } from "@sinclair/typebox/value";
import { type Static, t } from "elysia";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { Nullable } from "../../../kernel/http/schema.ts";
import { schemaReason } from "../../../kernel/http/schema-reason.ts";
import { Id } from "../../schemas.ts";
import { readVerb } from "../commands/index.ts";
import type { BulkInput } from "./contract.ts";

/** What is done to each node: it is told a command, or this panel does it. */
export const Plan = t.Union([
  t.Object({
    does: t.Literal("command"),
    type: t.String(),
    payload: t.Record(t.String(), t.Unknown()),
    /** An app that is meant by its name, which has another id on each node. */
    app: Nullable(t.String()),
  }),
  t.Object({ does: t.Literal("tag"), add: t.Array(t.String()), drop: t.Array(t.String()) }),
  t.Object({ does: t.Literal("group"), group_id: Nullable(t.String()) }),
  t.Object({ does: t.Literal("remove") }),
]);
export type Plan = Static<typeof Plan>;

const closed = { additionalProperties: false };
const MoveGroup = t.Object({ group_id: Nullable(Id) }, closed);
const RunCommand = t.Object(
  { type: t.String({ minLength: 1, maxLength: 64 }), payload: t.Optional(t.Record(t.String(), t.Unknown())) },
  closed,
);
const Nothing = t.Object({}, closed);

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function check<Shape extends typeof MoveGroup | typeof RunCommand | typeof Nothing>(
  shape: Shape,
  params: Record<string, unknown>,
): Static<Shape> {
  if (Value.Check(shape, params)) return params;
  const wrong = Value.Errors(shape, params).First();
  const field = `params${wrong?.path.replaceAll("/", ".") ?? ""}`;
  throw kernelFail("invalid_request", { field, reason: schemaReason(wrong?.message ?? "", wrong?.schema ?? shape) });
}

/** What a command that is named becomes. */
function commandPlan(name: string, params: Record<string, unknown>, version: string): Plan {
  const { type, isOurs, payload } = readVerb(name, params, version);
  const tags = [...new Set(textsOf(payload["tags"]))];
  if (isOurs) return { does: "tag", add: type === "tag" ? tags : [], drop: type === "tag" ? [] : tags };
  const { app, ...rest } = payload;
  return { does: "command", type, payload: rest, app: app === undefined ? null : String(app) };
}

/** Reads what is to be done; `version` is what an update without one goes to. Throws `invalid_request`, `command_unknown`. */
export function readPlan({ action, params = {} }: BulkInput, version: string): Plan {
  if (action === "move_group") return { does: "group", ...check(MoveGroup, params) };
  if (action === "remove") {
    check(Nothing, params);
    return { does: "remove" };
  }
  if (action !== "run_command") return commandPlan(action, params, version);
  const { type, payload = {} } = check(RunCommand, params);
  return commandPlan(type, payload, version);
}
