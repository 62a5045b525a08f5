import { type Static, t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { type ApiOf, defineRoutes } from "../../../kernel/http/route.ts";
import { NullableText } from "../../../kernel/http/schema.ts";
import { user } from "../../access.ts";

/** Whether containers can run here, in words that a person can act on. */
export const RuntimeStatus = t.Object({
  state: t.Union([t.Literal("ok"), t.Literal("missing"), t.Literal("unreachable"), t.Literal("too_old")]),
  version: NullableText,
  api_version: NullableText,
  /** Storage driver. */
  driver: NullableText,
  message: t.String(),
  next_step: NullableText,
});
export type RuntimeStatus = Static<typeof RuntimeStatus>;

export const fail = defineErrors({
  runtime_unavailable: [503, "{message} {next_step}"],
  runtime_answer_too_large: [
    503,
    "Docker answered with more than {most_mb} MB or {most_values} values, which is not read: most likely an image has very long labels, or very many. Find it on the server with docker image inspect -f '{{len (json .Config.Labels)}} {{.Id}} {{.RepoTags}}' $(docker image ls -aq) | sort -n | tail -1, and remove it and its containers with docker rm -f and docker image rm -f.",
  ],
});

export type RuntimeEvents = { "runtime.changed": { runtime: RuntimeStatus } };

export const runtimeRoutes = defineRoutes({
  "GET /api/system/runtime": { access: user("apps"), out: RuntimeStatus },
});
export type RuntimeApi = ApiOf<typeof runtimeRoutes>;
