import { ofUser, onRecord } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { PairedDeviceEvents } from "./contract.ts";

const audit = onRecord<{ device_id: string; ip: string }>(({ device_id }) => `device:${device_id}`);

export const pairedDeviceMeanings: EventMeanings<PairedDeviceEvents> = {
  "device.paired": {
    audit,
    timeline: ofUser((user, { name }) => `${user} paired the app ${name}`, { isInbox: true }),
  },
  "device.removed": {
    changesAccess: true,
    audit,
    timeline: ofUser((user, { name }) => `${user} removed the app ${name}`),
  },
};
