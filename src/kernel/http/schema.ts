import type { TSchema } from "@sinclair/typebox";
import { t } from "elysia";

/** What `schema` says, or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()]);

/** Any text, or null. */
export const NullableText = Nullable(t.String());

/** Any number, or null. */
export const NullableNumber = Nullable(t.Number());
