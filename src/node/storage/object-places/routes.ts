import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import type { Actor } from "../../actor.ts";
import { bindRoutes } from "../../route.ts";
import { placeRoutes } from "./contract.ts";
import type { Places } from "./manage.ts";
import type { By } from "./needs.ts";

const byOf = ({ actor, ip }: { actor: Actor; ip: string }): By => ({ user_id: actor.user_id, ip });

/** What answers the routes of where objects are kept. */
export const bindPlaceRoutes = (places: Places): BoundRoutes =>
  bindRoutes(placeRoutes, {
    "GET /api/objects/place": () => places.show(),
    "PUT /api/objects/place": ({ body, request, server, ...from }) => {
      // A place is asked several things, and each may take half a minute.
      server?.timeout(request, 0);
      return places.change(byOf(from), body);
    },
    "POST /api/objects/place/test": ({ body, request, server }) => {
      server?.timeout(request, 0);
      return places.test(body);
    },
  });
