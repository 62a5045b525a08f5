/** Paired devices: phones and other apps that hold a token of their own and act with their owner's role. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { pairedDeviceMeanings } from "./events.ts";
import init from "./migrations/0001_paired_devices.sql" with { type: "text" };
import { pairedDeviceRoutes } from "./routes.ts";

export { checkDeviceToken, DEVICE_PREFIX } from "./logic.ts";

export const pairedDevices = defineContextFeature<NodeContext>({
  name: "paired-devices",
  migrations: [init],
  errors: fail.table,
  events: pairedDeviceMeanings,
  routes: pairedDeviceRoutes,
});
