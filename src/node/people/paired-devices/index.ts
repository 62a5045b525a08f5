/** Paired devices: phones and other apps that hold a token of their own and act with their owner's role. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import type { Actor } from "../../actor.ts";
import { fail } from "./contract.ts";
import { pairedDeviceMeanings } from "./events.ts";
import { checkDeviceToken, devicesWay, PAIRING_MS } from "./logic.ts";
import init from "./migrations/0001_paired_devices.sql" with { type: "text" };
import parents from "./migrations/0002_parents.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { bindPairedDeviceRoutes } from "./routes.ts";
import type { DeviceRow } from "./store.ts";
import { underThisAccess } from "./under-this-access.ts";

export { DEVICE_PREFIX, devicesWay } from "./logic.ts";

const MAX_PAIRINGS = 1_000;

export const pairedDevicesFeature = defineFeature({
  name: "paired-devices",
  events: pairedDeviceMeanings,
  migrations: [init, parents],
  errors: fail.table,
});

/** The paired devices of this node. */
export interface PairedDevices extends Part {
  /** The device behind a token, or null. Notes its use once a minute. */
  check(token: string): DeviceRow | null;
  /** Holds as long as what the actor came in with, for what they let in that comes later. */
  underThisAccess(actor: Pick<Actor, "user_id" | "session_id" | "device_id">): () => boolean;
}

export function createPairedDevices(needs: Needs): PairedDevices {
  const { clock } = needs;
  const own: Own = {
    ...needs,
    pairings: createSharedMap(clock, { size: MAX_PAIRINGS, ttlMs: PAIRING_MS }),
    begun: createLimiter(clock, 20, minutes(10)),
  };
  needs.lists.lastingWays.add(devicesWay(needs));
  return {
    feature: pairedDevicesFeature,
    check: (token) => checkDeviceToken(own, token),
    underThisAccess: (actor) => underThisAccess(own, actor),
    routes: [bindPairedDeviceRoutes(own)],
  };
}
