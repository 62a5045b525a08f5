import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { SettingsEvents } from "./contract.ts";

export const settingsMeanings: EventMeanings<SettingsEvents> = {
  "settings.changed": {
    change: {},
    // Some decide who is let in.
    changesAccess: true,
    audit: onRecord(() => "settings"),
    timeline: ({ actor_id, keys }, nameOf) => ({
      category: "system",
      severity: "info",
      title: `${nameOf(actor_id)} changed the settings ${keys.map((key) => key.replaceAll(/[._]/g, " ")).join(", ")}`,
      link: "/settings",
    }),
  },
};
