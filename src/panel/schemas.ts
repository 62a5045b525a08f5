/** Shapes that bodies, paths and queries of many routes share. */
import { t } from "elysia";
import { NameText } from "../kernel/http/schema.ts";
import { plainCharacter } from "../lib/plain-text.ts";

export const Name = NameText(100);

/** An id of ours in a path; anything else could not be looked up on every engine. */
export const Id = t.String({ maxLength: 64, pattern: "^[A-Za-z0-9_-]+$", description: "must be an id" });

/** As much of an address as can be checked without writing to it. */
export const Email = t.String({
  minLength: 3,
  maxLength: 254,
  pattern: `^${plainCharacter("[^\\s@]")}+@${plainCharacter("[^\\s@]")}+$`,
  description: "must be an address such as ada@example.org",
});
