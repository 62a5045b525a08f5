import { byAdmin, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { MaintenanceEvents } from "./contract.ts";

const audit = onRecord<{ window_id: string; ip: string }>(({ window_id }) => `maintenance:${window_id}`);
const PAGE = "/alerts?tab=maintenance";

export const maintenanceMeanings: EventMeanings<MaintenanceEvents> = {
  "maintenance.created": { audit, timeline: byAdmin("planned", "maintenance", PAGE) },
  "maintenance.changed": { audit },
  "maintenance.deleted": { audit, timeline: byAdmin("deleted", "maintenance", PAGE) },
};
