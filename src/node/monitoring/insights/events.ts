import type { EventMeanings } from "../../event-meaning.ts";
import type { InsightEvents } from "./contract.ts";

export const insightMeanings: EventMeanings<InsightEvents> = {
  "insight.raised": {
    timeline: ({ subject, message }) => ({
      category: "alert",
      severity: "warning",
      title: message,
      subject: ["insight", subject],
      link: "/insights",
      audience: "everybody",
      isInbox: true,
    }),
  },
};
