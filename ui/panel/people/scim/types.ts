import type { Routes } from "../../client/routes.ts";

/** How a workspace and its directory stand. */
export type Setup = Routes["GET /api/scim"]["out"];
/** What a directory proves itself by. */
export type Token = Setup["tokens"][number];
/** A group of a directory. */
export type Group = Setup["groups"][number];
