/**
 * To be imported before anything else of a program: Elysia looks once, while it is loaded, whether it serves a developer. To one it
 * describes every refused body in full, every pattern tried on every text, which takes a third of a second for a megabyte.
 */
Bun.env["NODE_ENV"] = "production";
