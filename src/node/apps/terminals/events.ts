import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { TerminalEvents } from "./contract.ts";

const ofContainer = onRecord<{ container_id: string; ip: string }>(({ container_id }) => `container:${container_id}`);

export const terminalMeanings: EventMeanings<TerminalEvents> = {
  "container.exec_started": {
    audit: ofContainer,
    timeline: ({ user_id, name }, nameOf) => ({
      category: "app",
      severity: "info",
      title: `${nameOf(user_id)} opened a terminal in ${name}`,
      link: "/containers",
    }),
  },
  "container.exec_ended": { audit: ofContainer },
  "container.exec_refused": { audit: ofContainer },
};
