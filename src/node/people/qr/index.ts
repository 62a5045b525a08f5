/** QR sign-in: a screen shows a code, a signed-in phone approves it, the screen trades its secret for a session. */
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { qrMeanings } from "./events.ts";
import { qrRoutes } from "./routes.ts";

export const qr = defineContextFeature<NodeContext>({
  name: "qr",
  errors: fail.table,
  events: qrMeanings,
  routes: qrRoutes,
});
