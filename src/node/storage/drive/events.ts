import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { DriveEvents } from "./contract.ts";

const onNode = onRecord<{ node_id: string; ip: string }>(({ node_id }) => `drive:${node_id}`);

// What people do with their files is theirs: it is on record, and nobody else's page tells of it.
export const driveMeanings: EventMeanings<DriveEvents> = {
  "drive.folder_created": { audit: onNode },
  "drive.uploaded": { audit: onNode },
  "drive.downloaded": { audit: onNode },
  "drive.viewed": { audit: onNode },
  "drive.replaced": { audit: onNode },
  "drive.version_removed": { audit: onNode },
  "drive.moved": { audit: onNode },
  "drive.copied": { audit: onNode },
  "drive.renamed": { audit: onNode },
  "drive.trashed": { audit: onNode },
  "drive.restored": { audit: onNode },
  "drive.purged": { audit: onNode },
};
