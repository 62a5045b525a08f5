import { onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { MigrationEvents } from "./contract.ts";

const onStore = onRecord<{ ip: string }>(() => "object-store:previous");

const told =
  <Data extends { user_id: string }>(words: (data: Data) => string) =>
  (data: Data, nameOf: NameOf): TimelineLine => ({
    category: "system",
    severity: "info",
    title: `${nameOf(data.user_id)} ${words(data)}`,
    link: "/objects",
  });

const line = (severity: TimelineLine["severity"], title: string): TimelineLine => ({
  ...{ category: "system", severity, title, link: "/objects" },
  ...(severity === "info" ? {} : { isInbox: true }),
});

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

export const migrationMeanings: EventMeanings<MigrationEvents> = {
  "object_migration.failed": { timeline: ({ words }) => line("warning", `Objects are not brought over: ${words}`) },
  "object_migration.switched": {
    timeline: ({ buckets, objects, left_behind }) =>
      line(
        left_behind > 0 ? "warning" : "info",
        `${counted(objects, "object")} in ${counted(buckets, "bucket")} came from the previous store${left_behind > 0 ? `; ${left_behind} stayed behind` : ""}`,
      ),
  },
  "object_migration.retried": {
    audit: onStore,
    timeline: told(({ leave_out }) =>
      leave_out
        ? "lets objects that cannot be brought over stay behind"
        : "goes on with bringing objects over from the previous store",
    ),
  },
  "object_migration.given_up": {
    audit: onStore,
    timeline: told(() => "gave up bringing objects over from the previous store"),
  },
  "object_migration.purge_begun": { audit: onStore, timeline: told(() => "removes the data of the previous store") },
  "object_migration.purged": { timeline: () => line("info", "The data of the previous store is gone") },
};
