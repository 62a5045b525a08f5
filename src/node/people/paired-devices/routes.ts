import { Elysia, t } from "elysia";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { open, user } from "../../access.ts";
import type { NodeRoutes } from "../../context.ts";
import { takeFrom } from "../sign-ins/index.ts";
import { DeviceParams, Paired, PairedDevice, PairInput, Pairing } from "./contract.ts";
import { listOwnDevices, type Pairings, pairDevice, removeDevice, startPairing } from "./logic.ts";

const MAX_PAIRINGS = 1_000;

export const pairedDeviceRoutes: NodeRoutes = (ctx) => {
  const pairings: Pairings = createExpiringMap(ctx.clock, MAX_PAIRINGS);
  // Codes that wait are bounded in number: nobody may crowd out those of others.
  const begun = createLimiter(ctx.clock, 20, minutes(10));
  return new Elysia({ prefix: "/api/paired-devices" })
    .use(ctx.guard)
    .post(
      "/pairings",
      ({ actor }) => {
        takeFrom(begun, actor.user_id);
        return startPairing(ctx, pairings, actor);
      },
      { access: user(), response: Pairing },
    )
    .post("/pair", ({ body, ip }) => pairDevice(ctx, pairings, body, ip), {
      access: open(),
      body: PairInput,
      response: Paired,
    })
    .get("", ({ actor }) => listOwnDevices(ctx, actor.user_id), { access: user(), response: t.Array(PairedDevice) })
    .delete(
      "/:id",
      ({ actor, params, ip }) => {
        removeDevice(ctx, actor.user_id, params.id, ip);
        return { message: "The device is no longer paired." };
      },
      { access: user(), params: DeviceParams, response: t.Object({ message: t.String() }) },
    );
};
