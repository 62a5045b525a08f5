import { Elysia } from "elysia";
import { createLimiter } from "../../../kernel/http/limit.ts";
import { minutes } from "../../../lib/duration.ts";
import { createExpiringMap } from "../../../lib/expiring-map.ts";
import { open, user } from "../../access.ts";
import type { Actor } from "../../actor.ts";
import type { NodeRoutes } from "../../context.ts";
import { deliverSession, originOf, takeAttempt } from "../sign-ins/index.ts";
import { QrApproval, QrApproved, QrCreated, QrExchange, QrParams, QrStatus, SignedIn } from "./contract.ts";
import { approveQr, exchangeQr, generateQr, type QrSession, readQrStatus } from "./logic.ts";

const MAX_SESSIONS = 10_000;

export const qrRoutes: NodeRoutes = (ctx) => {
  const deps = { ...ctx, sessions: createExpiringMap<QrSession>(ctx.clock, MAX_SESSIONS) };
  const generated = createLimiter(ctx.clock, 30, minutes(10));
  const exchanged = createLimiter(ctx.clock, 60, minutes(1));
  const approve = ({ actor, body, ip }: { actor: Actor; body: { session_id: string }; ip: string }) =>
    approveQr(deps, actor, body.session_id, ip);
  const approval = { access: user(), body: QrApproval, response: QrApproved };

  return (
    new Elysia({ prefix: "/api/auth/qr" })
      .use(ctx.guard)
      .post(
        "/generate",
        ({ request, ip }) => {
          takeAttempt(generated, ip);
          return generateQr(deps, originOf(request, ip).device);
        },
        { access: open(), response: QrCreated },
      )
      .get("/status/:session_id", ({ params }) => readQrStatus(deps, params.session_id), {
        access: open(),
        params: QrParams,
        response: QrStatus,
      })
      .post("/approve", approve, approval)
      // The name that older mobile apps know.
      .post("/authenticate", approve, approval)
      .post(
        "/exchange",
        ({ body, ip, isHttps, request, set }) => {
          takeAttempt(exchanged, ip);
          return deliverSession(set.headers, exchangeQr(deps, body, originOf(request, ip)), isHttps);
        },
        { access: open(), body: QrExchange, response: SignedIn },
      )
  );
};
