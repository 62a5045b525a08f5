import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { panelLinkRoutes } from "./contract.ts";
import { readConnectLine } from "./enrolment/connect-line.ts";
import type { Enrolment } from "./enrolment/enrolment.ts";
import type { Standing } from "./standing.ts";

/** What answers the routes of the link. */
export const bindPanelLinkRoutes = (standing: Standing, enrolment: Enrolment): BoundRoutes =>
  bindRoutes(panelLinkRoutes, {
    "GET /api/cp/status": () => standing.status(),
    "POST /api/cp/connect": async ({ body, actor, ip }) => {
      await enrolment.connect(readConnectLine(body.line), { by: actor.user_id, ip });
      standing.say("beat");
      return standing.status();
    },
    "POST /api/cp/heartbeat": () => {
      standing.say("beat");
      return standing.status();
    },
    "POST /api/cp/disconnect": ({ actor, ip }) => {
      const ended = enrolment.disconnect({ by: actor.user_id, ip });
      standing.say("changed");
      standing.say("beat");
      return { ...standing.status(), ended };
    },
  });
