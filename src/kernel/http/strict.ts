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

/**
 * A copy of a body schema whose objects refuse unknown fields at every depth, so that a typing error is told, not
 * swallowed. Elysia itself does so for the outermost object only. Objects that say `additionalProperties` keep their word,
 * and parts of an intersection stay open: each knows only some of the fields.
 */
export function refuseUnknownFields(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(refuseUnknownFields);
  if (!isRecord(schema)) return schema;
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
