import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { AppFileEvents } from "./contract.ts";

const audit = onRecord<{ app_id: string; ip: string }>(({ app_id }) => `app:${app_id}`);

export const appFileMeanings: EventMeanings<AppFileEvents> = {
  "app_file.downloaded": { audit },
  "app_file.folder_made": { audit },
  "app_file.renamed": { audit },
  "app_file.removed": { audit },
  "app_file.uploaded": { audit },
};
