import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { ResticEvents } from "./contract.ts";

const audit = onRecord<{ restic_id: string; ip: string }>(({ restic_id }) => `restic:${restic_id}`);

export const resticMeanings: EventMeanings<ResticEvents> = {
  "restic.attached": { audit },
  "restic.detached": { audit },
  "restic.file_downloaded": { audit },
};
