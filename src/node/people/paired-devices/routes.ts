import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { takeOne } from "../../../kernel/http/too-many-requests.ts";
import { bindRoutes } from "../../route.ts";
import { pairedDeviceRoutes } from "./contract.ts";
import { listOwnDevices, pairDevice, removeDevice, startPairing } from "./logic.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of paired devices. */
export const bindPairedDeviceRoutes = (own: Own): BoundRoutes =>
  bindRoutes(pairedDeviceRoutes, {
    "POST /api/paired-devices/pairings": ({ actor }) => {
      takeOne(own.begun, actor.user_id);
      return startPairing(own, actor);
    },
    "POST /api/paired-devices/pair": ({ body, ip }) => pairDevice(own, body, ip),
    "GET /api/paired-devices": ({ actor }) => listOwnDevices(own, actor.user_id),
    "DELETE /api/paired-devices/{id}": ({ actor, params, ip }) => {
      removeDevice(own, actor.user_id, params.id, ip);
      return { message: "The device is no longer paired." };
    },
  });
