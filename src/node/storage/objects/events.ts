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

function damageWords(damaged: number, mended: number, object: string | null): string {
  const named = object === null ? "" : `, among them ${object}`;
  if (damaged === 0)
    return `The disk changed ${counted(mended, "stored piece")}${named}: put right, but look at the disk`;
  return `${counted(damaged, "stored piece")} can no longer be read as stored${named}: bring them back from a backup, and look at the disk`;
}

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
  "objects.damaged": {
    timeline: ({ damaged, mended, object }) => ({
      category: "system",
      severity: damaged > 0 ? "critical" : "warning",
      title: damageWords(damaged, mended, object),
      link: "/objects",
      isInbox: true,
    }),
  },
  "objects.encryption_changed": {
    audit: onRecord<{ ip: string }>(() => "objects"),
    timeline: told(({ on }) => (on ? "had stored objects encrypted" : "had stored objects no longer encrypted")),
  },
  "objects.key_created": { audit: onKey, timeline: told(({ name }) => `made the access key ${name}`) },
  "objects.key_removed": { audit: onKey, timeline: told(({ name }) => `removed the access key ${name}`) },
  "objects.uploaded": { audit: onBucket },
  "objects.downloaded": { audit: onBucket },
  "objects.removed": { audit: onBucket },
};
