/** QR sign-in: a screen shows a code, a signed-in phone approves it, the screen trades its secret for a session. */

import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import { fail } from "./contract.ts";
import { qrMeanings } from "./events.ts";
import { REMEMBER_MS } from "./logic.ts";
import type { Needs, Own } from "./needs.ts";
import { bindQrRoutes } from "./routes.ts";

const MAX_CODES = 10_000;

export const qrFeature = defineFeature({ name: "qr", events: qrMeanings, errors: fail.table });

export function createQr(needs: Needs): Part {
  const { clock } = needs;
  const own: Own = {
    ...needs,
    codes: createSharedMap(clock, { size: MAX_CODES, ttlMs: REMEMBER_MS }),
    generated: createLimiter(clock, 30, minutes(10)),
    exchanged: createLimiter(clock, 60, minutes(1)),
  };
  return { feature: qrFeature, routes: [bindQrRoutes(own)] };
}
