import { t } from "elysia";
import { isRecord } from "../../lib/json.ts";

/** Body of a route that takes none: nothing, or an empty object, which some clients always send. */
export const NO_BODY = t.Optional(t.Object({}, { additionalProperties: false }));

/** Methods whose requests carry no body that means anything. */
const BODILESS = ["GET", "HEAD", "OPTIONS", "WS"];

/**
 * The strict schema of a route's body. A route that declares none gets one that refuses every field, unless it reads the
 * body itself.
 */
export function bodySchemaOf(method: string, hooks: { body?: unknown; parse?: unknown }): unknown {
  if (hooks.body !== undefined) return refuseUnknownFields(hooks.body);
  const isOwnReader = JSON.stringify(hooks.parse ?? null).includes('"none"');
  return isOwnReader || BODILESS.includes(method) ? undefined : NO_BODY;
}

/** How TypeBox marks what may be left out. */
export const OPTIONAL = Symbol.for("TypeBox.Optional");

/**
 * Elysia reads whole numbers as `text in number form | number`, as a query needs it. The schema of the number alone, for
 * JSON, where "1" is a text; other schemas come back as they are.
 */
export function withoutCoercion(schema: Record<string, unknown>): Record<string, unknown> {
  const choices: unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  const [text, number] = choices;
  const isCoerced = choices.length === 2 && isRecord(text) && text["type"] === "string" && "format" in text;
  if (!isCoerced || !isRecord(number)) return schema;
  return OPTIONAL in schema ? { ...number, [OPTIONAL]: "Optional" } : number;
}

/**
 * A copy of a body schema whose objects refuse unknown fields at every depth, so that a typing error is told, not
 * swallowed. Elysia itself does so for the outermost object only. Objects that say `additionalProperties` keep their word,
 * and parts of an intersection stay open: each knows only some of the fields. Numbers have to be numbers.
 */
export function refuseUnknownFields(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(refuseUnknownFields);
  if (!isRecord(body)) return body;
  const schema = withoutCoercion(body);
  // Spread keeps TypeBox's symbol keys.
  const copy: Record<string, unknown> = { ...schema };
  if (isRecord(copy["properties"])) {
    copy["properties"] = Object.fromEntries(
      Object.entries(copy["properties"]).map(([name, part]) => [name, refuseUnknownFields(part)]),
    );
    copy["additionalProperties"] ??= false;
  }
  for (const key of ["items", "anyOf"]) if (copy[key] !== undefined) copy[key] = refuseUnknownFields(copy[key]);
  return copy;
}
