import { onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { ComposeProjectEvents } from "./contract.ts";

type Done = { name: string; user_id: string; ip: string };

const audit = onRecord<Done>(({ name }) => `compose:${name}`);

const told =
  <Data extends Done>(words: (data: Data) => string) =>
  (data: Data, nameOf: NameOf): TimelineLine => ({
    category: "app",
    severity: "info",
    title: `${nameOf(data.user_id)} ${words(data)}`,
    link: "/containers",
  });

export const composeProjectMeanings: EventMeanings<ComposeProjectEvents> = {
  "compose.deployed": { audit, timeline: told(({ name }) => `deployed the Compose project ${name}`) },
  "compose.started": { audit, timeline: told(({ name }) => `started the Compose project ${name}`) },
  "compose.stopped": { audit, timeline: told(({ name }) => `stopped the Compose project ${name}`) },
  "compose.restarted": { audit, timeline: told(({ name }) => `restarted the Compose project ${name}`) },
  "compose.adopted": { audit, timeline: told(({ name }) => `took over the Compose project ${name}`) },
  "compose.ejected": { audit, timeline: told(({ name }) => `let go of the Compose project ${name}`) },
  "compose.removed": {
    audit,
    timeline: told(
      ({ name, with_volumes }) => `removed the Compose project ${name}${with_volumes ? " with its data" : ""}`,
    ),
  },
};
