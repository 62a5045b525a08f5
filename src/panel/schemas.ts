/** Shapes that bodies, paths and queries of many routes share. */
import { t } from "elysia";
import { NameText } from "../kernel/http/schema.ts";
import { plainCharacter } from "../lib/plain-text.ts";

export const Name = NameText(100);

/** A language that letters are written in. No `UnionEnum`: that one fills in the first where nothing is said. */
export const LanguageCode = t.Union([t.Literal("en"), t.Literal("de"), t.Literal("fr"), t.Literal("es")]);

/** An id of ours in a path; anything else could not be looked up on every engine. */
export const Id = t.String({ maxLength: 64, pattern: "^[A-Za-z0-9_-]+$", description: "must be an id" });

/** Without the signs that set an address apart from others, a comment or a name: programs that send mail would write to another one. */
const PART = plainCharacter('[^\\s@<>()[\\],;:"\\\\]');
const LITERAL = "\\[[0-9A-Za-z:.]+\\]";
const EMAIL = `^${PART}+@(?:${PART}+|${LITERAL})$`;
const EMAIL_MAX = 254;

/** What people are told about an address that is none. */
export const EMAIL_EXAMPLE = "must be an address such as ada@example.org";

/** As much of an address as can be checked without writing to it. */
export const Email = t.String({
  minLength: 3,
  maxLength: EMAIL_MAX,
  pattern: EMAIL,
  description: EMAIL_EXAMPLE,
});

/** True for what `Email` takes. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && new RegExp(EMAIL).test(text);
