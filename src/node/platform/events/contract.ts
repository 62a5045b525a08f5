import { answersAs } from "../../../kernel/http/answers.ts";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { user } from "../../access.ts";

export const eventRoutes = defineRoutes({
  "GET /api/events/stream": { access: user(), ...answersAs("text/event-stream") },
});
