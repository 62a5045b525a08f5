import { type Static, t } from "elysia";
import { answersAs } from "../../../kernel/http/answers.ts";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { signedIn } from "../../access.ts";

/** Data of an event `changed`: what pages show something else of by now. */
export const LiveChange = t.Object({
  /** `fleet`, `notifications`, …; all of them to begin with. */
  topics: t.Array(t.String()),
});
export type LiveChange = Static<typeof LiveChange>;

export const fail = defineErrors({
  change_streams_full: [
    429,
    "Changes are listened to {count} times {whose} already. Close pages that are open elsewhere, and try again.",
  ],
});

export const liveChangesRoutes = defineRoutes({
  "GET /api/changes": { access: signedIn(), ...answersAs("text/event-stream") },
});
