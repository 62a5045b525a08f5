import { onRecord } from "../../event-lines.ts";
import type { EventMeanings, NameOf, TimelineLine } from "../../event-meaning.ts";
import type { ObjectEvents } from "./contract.ts";

const onBucket = onRecord<{ bucket: string; ip: string }>(({ bucket }) => `bucket:${bucket}`);
const onKey = onRecord<{ access_key: string; ip: string }>(({ access_key }) => `object-key:${access_key}`);

const told =
  <Data extends { user_id: string }>(words: (data: Data) => string) =>
  (data: Data, nameOf: NameOf): TimelineLine => ({
    category: "system",
    severity: "info",
    title: `${nameOf(data.user_id)} ${words(data)}`,
    link: "/objects",
  });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

export const objectMeanings: EventMeanings<ObjectEvents> = {
  "objects.bucket_created": { audit: onBucket, timeline: told(({ bucket }) => `made the bucket ${bucket}`) },
  "objects.bucket_removed": { audit: onBucket, timeline: told(({ bucket }) => `removed the bucket ${bucket}`) },
  "objects.bucket_changed": {
    audit: onBucket,
    timeline: told(({ bucket, visibility, before }) =>
      visibility === before ? `changed the bucket ${bucket}` : `made the bucket ${bucket} ${visibility}`,
    ),
  },
  "objects.expired": {
    timeline: ({ bucket, objects, uploads }) => ({
      category: "system",
      severity: "info",
      title: `The rules of ${bucket} ended ${counted(objects, "object")} and ${counted(uploads, "unfinished upload")}`,
      link: "/objects",
    }),
  },
  "objects.key_created": { audit: onKey, timeline: told(({ name }) => `made the access key ${name}`) },
  "objects.key_removed": { audit: onKey, timeline: told(({ name }) => `removed the access key ${name}`) },
  "objects.uploaded": { audit: onBucket },
  "objects.downloaded": { audit: onBucket },
  "objects.removed": { audit: onBucket },
};
