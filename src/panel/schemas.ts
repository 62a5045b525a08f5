/** Shapes that bodies, paths and queries of many routes share. */
import { t } from "elysia";
import { NameText } from "../kernel/http/schema.ts";

export const Name = NameText(100);

/** An id of ours in a path; anything else could not be looked up on every engine. */
export const Id = t.String({ maxLength: 64, pattern: "^[A-Za-z0-9_-]+$", description: "must be an id" });
