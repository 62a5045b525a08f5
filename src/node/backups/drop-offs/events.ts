import { onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { DropOffEvents } from "./contract.ts";

const audit = onRecord<{ drop_off_id: string; ip: string }>(({ drop_off_id }) => `drop_off:${drop_off_id}`);

export const dropOffMeanings: EventMeanings<DropOffEvents> = {
  "drop_off.added": { audit },
  "drop_off.changed": { audit },
  "drop_off.key_made": { audit },
  "drop_off.removed": { audit },
};
