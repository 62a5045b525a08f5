import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { ShareEvents } from "./contract.ts";

const onShare = onRecord<{ share_id: string; ip: string }>(({ share_id }) => `drive-share:${share_id}`);

export const shareMeanings: EventMeanings<ShareEvents> = {
  "drive.share_created": { audit: onShare },
  "drive.share_ended": { changesAccess: true, audit: onShare },
  "drive.share_downloaded": { audit: onShare },
  "drive.share_uploaded": { audit: onShare },
  "drive.share_refused": { audit: onShare },
};
