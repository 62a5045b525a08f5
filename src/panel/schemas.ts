/** Shapes that bodies, paths and queries of many routes share. */
import { t } from "elysia";

// What PostgreSQL cannot keep and nobody can see has no place in a name.
const PLAIN = "^[^\\u0000-\\u001f\\u007f]*[^\\u0000-\\u0020\\u007f][^\\u0000-\\u001f\\u007f]*$";
export const Name = t.String({ minLength: 1, maxLength: 100, pattern: PLAIN, description: "must be one line of text" });

/** An id of ours in a path; anything else could not be looked up on every engine. */
export const Id = t.String({ maxLength: 64, pattern: "^[A-Za-z0-9_-]+$", description: "must be an id" });
