import { type Static, t } from "elysia";
import { NODE_PLANS } from "../plans/index.ts";

export const LICENSE_ISSUER = "orrery-panel";

/** What a license says; times in seconds, as JWTs have them. */
export const LicenseClaims = t.Object({
  iss: t.Literal(LICENSE_ISSUER),
  /** The workspace. */
  sub: t.String({ minLength: 1, maxLength: 64 }),
  plan: t.Union(NODE_PLANS.map((plan) => t.Literal(plan))),
  iat: t.Integer({ minimum: 0 }),
  exp: t.Integer({ minimum: 0 }),
  /** Names this license, so that a node can tell which one it has. */
  jti: t.String({ minLength: 1, maxLength: 64 }),
});
export type LicenseClaims = Static<typeof LicenseClaims>;
