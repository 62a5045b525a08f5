import { liveForAll } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { OperationEvents } from "./contract.ts";

export const operationMeanings: EventMeanings<OperationEvents> = {
  "operation.changed": {
    live: liveForAll,
    timeline: ({ status, title, subject_id, kind, error }) =>
      status !== "failed"
        ? null
        : {
            category: "app",
            severity: "warning",
            title: `${title} failed: ${error?.message ?? "no reason was given"}`,
            subject: [kind.split(".", 1)[0] ?? "operation", subject_id],
            ...(kind.startsWith("app") ? { link: `/apps/${subject_id}` } : {}),
            audience: "everybody",
            isInbox: true,
          },
  },
};
