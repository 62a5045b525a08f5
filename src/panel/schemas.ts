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

/**
 * What is not seen though it may stand in names: signs that choose how the one before is drawn, a blank of Braille, marks of music and of
 * shorthand. Two addresses that differ in these alone would look the same.
 */
const UNSEEN = "[\\ufe00-\\ufe0f\\u2800]|\\ud82f[\\udca0-\\udca3]|\\ud834(?:\\udd59|[\\udd73-\\udd7a])";
const LABEL_PART = plainCharacter(`(?!${UNSEEN})(?!\\s)[A-Za-z0-9_\\-\\u0080-\\uffff]`);
const LABEL = `(?!-)${LABEL_PART}+`;
const NEW_EMAIL = `^(?:(?!${UNSEEN})${PART})+@(?:${LABEL}(?:\\.${LABEL})*\\.*|${LITERAL})$`;

/** What people are told about an address that is none. */
export const EMAIL_EXAMPLE = "must be an address such as ada@example.org";

const emailText = (pattern: string) =>
  t.String({ minLength: 3, maxLength: EMAIL_MAX, pattern, description: EMAIL_EXAMPLE });

/** An address by which somebody is looked for: accounts from before may have one that is not taken any more. */
export const KnownEmail = emailText(EMAIL);

/** An address that an account is to have: as much of it as can be checked without writing to it. */
export const Email = emailText(NEW_EMAIL);

/** True for what `KnownEmail` takes. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && new RegExp(EMAIL).test(text);

/** True for what `Email` takes. */
export const isNewEmail = (text: string): boolean => text.length <= EMAIL_MAX && new RegExp(NEW_EMAIL).test(text);
