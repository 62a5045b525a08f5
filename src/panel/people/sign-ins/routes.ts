import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { signInRoutes } from "./contract.ts";
import { endOne, endOthers, listOwn } from "./logic.ts";
import type { Needs } from "./needs.ts";

/** What answers the routes of sign-ins. */
export const bindSignInRoutes = (needs: Needs): BoundRoutes =>
  bindRoutes(signInRoutes, {
    "GET /api/auth/sessions": ({ actor }) => listOwn(needs, actor),
    "DELETE /api/auth/sessions": ({ actor, ip }) => endOthers(needs, actor, ip),
    "DELETE /api/auth/sessions/{id}": ({ actor, ip, params }) => endOne(needs, actor, ip, params.id),
  });
