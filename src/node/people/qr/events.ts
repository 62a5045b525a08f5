import { ofUser, onUser } from "../../event-lines.ts";
import type { EventMeanings } from "../../event-meaning.ts";
import type { QrEvents } from "./contract.ts";

export const qrMeanings: EventMeanings<QrEvents> = {
  "qr.approved": {
    audit: onUser,
    timeline: ofUser((name, { device }) => `${name} signed ${device} in by scanning`),
  },
};
