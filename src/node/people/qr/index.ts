/** QR sign-in: a screen shows a code, a signed-in phone approves it, the screen trades its secret for a session. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { fail } from "./contract.ts";
import { qrMeanings } from "./events.ts";
import type { Needs, Own } from "./needs.ts";
import { bindQrRoutes } from "./routes.ts";

const MAX_CODES = 10_000;

export const qrFeature = defineFeature({ name: "qr", events: qrMeanings, errors: fail.table });

export function createQr(needs: Needs): Part {
  const { clock } = needs;
  const own: Own = {
    ...needs,
    codes: createExpiringMap(clock, MAX_CODES),
    generated: createLimiter(clock, 30, minutes(10)),
    exchanged: createLimiter(clock, 60, minutes(1)),
  };
  return { feature: qrFeature, routes: [bindQrRoutes(own)] };
}
