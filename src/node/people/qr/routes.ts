import type { BoundRoutes } from "../../../kernel/http/handlers.ts";
import { bindRoutes } from "../../route.ts";
import { deliverSession, originOf, takeAttempt } from "../sign-ins/index.ts";
import { qrRoutes } from "./contract.ts";
import { approveQr, exchangeQr, generateQr, readQrStatus } from "./logic.ts";
import type { Own } from "./needs.ts";

/** What answers the routes of QR sign-in. */
export const bindQrRoutes = (own: Own): BoundRoutes =>
  bindRoutes(qrRoutes, {
    "POST /api/auth/qr/generate": ({ request, ip }) => {
      takeAttempt(own.generated, ip);
      return generateQr(own, originOf(request, ip));
    },
    "GET /api/auth/qr/status/{session_id}": ({ params }) => readQrStatus(own, params.session_id),
    "POST /api/auth/qr/approve": ({ actor, body, ip }) => approveQr(own, actor, body.session_id, ip),
    "POST /api/auth/qr/authenticate": ({ actor, body, ip }) => approveQr(own, actor, body.session_id, ip),
    "POST /api/auth/qr/exchange": ({ body, ip, isHttps, request, set }) => {
      takeAttempt(own.exchanged, ip);
      return deliverSession(set.headers, exchangeQr(own, body, originOf(request, ip)), isHttps);
    },
  });
