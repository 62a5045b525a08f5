import { t } from "elysia";
import { defineErrors } from "../../../kernel/http/errors.ts";
import { defineRoutes } from "../../../kernel/http/route.ts";
import { open } from "../../access.ts";

export const fail = defineErrors({
  metrics_off: [404, "This panel gives no figures to scrapers. Set CP_METRICS_TOKEN to let one in."],
  metrics_token_wrong: [401, "Send the token of CP_METRICS_TOKEN, with the header authorization: Bearer TOKEN."],
});

/** Its own token opens it: no account of a workspace may see what is of all of them. */
export const prometheusRoutes = defineRoutes({
  "GET /api/prometheus": { access: open(), out: t.String() },
});
