import { liveForAll, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { ComponentEvents } from "./contract.ts";

const ofOperation = onRecord<{ op_id: string; ip: string }>(({ op_id }) => `operation:${op_id}`);

export const componentMeanings: EventMeanings<ComponentEvents> = {
  "component.apply_begun": { audit: ofOperation },
  "component.applied": {
    audit: ofOperation,
    timeline: ({ user_id, title }, nameOf) => ({
      category: "system",
      severity: "info",
      title: `${nameOf(user_id)}: ${title}`,
      link: "/components",
    }),
  },
  // The timeline has it as a failed operation.
  "component.apply_failed": { audit: ofOperation },
  "components.changed": { live: liveForAll },
};
