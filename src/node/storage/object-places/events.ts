import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { PlaceEvents } from "./contract.ts";

const onPlace = onRecord<{ ip: string }>(() => "object-store:place");

export const placeMeanings: EventMeanings<PlaceEvents> = {
  "objects.place_changed": {
    audit: onPlace,
    timeline: ({ user_id, kind, place }, nameOf) => ({
      category: "system",
      severity: "info",
      title: `${nameOf(user_id)} keeps objects ${kind === "embedded" ? "on this server" : `at ${place}`} from now on`,
      link: "/objects",
    }),
  },
};
