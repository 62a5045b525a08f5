import type { TSchema } from "@sinclair/typebox";
import { t } from "elysia";
import { PLAIN_NAME, PLAIN_TEXT } from "../../lib/plain-text.ts";

/** What `schema` says, or null. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => t.Union([schema, t.Null()]);

/** Any text, or null. */
export const NullableText = Nullable(t.String());

/** Any number, or null. */
export const NullableNumber = Nullable(t.Number());

/** A name that people give and read: one line, something that is seen, nothing that is hidden or turns the text around. */
export const NameText = (maxLength: number) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: PLAIN_NAME,
    description: "must be one line of text that can be seen, without invisible and control characters",
  });

/** One line of text that may be empty, without what a name may not hold either. */
export const LineText = (maxLength: number) =>
  t.String({
    maxLength,
    pattern: PLAIN_TEXT,
    description: "must be one line of text, without invisible and control characters",
  });
