import { onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { RegistryEvents } from "./contract.ts";

const audit = onRecord<{ registry_id: string; ip: string }>(({ registry_id }) => `registry:${registry_id}`);

const told =
  (verb: string) =>
  ({ user_id, address }: { user_id: string; address: string }, nameOf: NameOf): TimelineLine => ({
    category: "app",
    severity: "info",
    title: `${nameOf(user_id)} ${verb} the login for the registry ${address}`,
    link: "/containers?tab=images",
  });

export const registryMeanings: EventMeanings<RegistryEvents> = {
  "registry.added": { audit, timeline: told("added") },
  "registry.removed": { audit, timeline: told("removed") },
  "registry.tested": { audit },
};
