import { isRecord } from "../../lib/json.ts";

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
