import { liveForAll } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { RuntimeEvents } from "./contract.ts";

export const runtimeMeanings: EventMeanings<RuntimeEvents> = {
  "runtime.changed": {
    live: liveForAll,
    // It also tells of each new version and of every start.
    timeline({ runtime }) {
      const base = { category: "system", link: "/apps", audience: "everybody" } as const;
      if (runtime.state === "ok")
        return { ...base, severity: "info", title: "Docker answers again", turn: { of: "docker", bad: false } };
      return {
        ...base,
        severity: "critical",
        title: runtime.message,
        isInbox: true,
        fold: "docker down",
        turn: { of: "docker", bad: true },
      };
    },
  },
};
