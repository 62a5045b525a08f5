import { Value } from "@sinclair/typebox/value";
import { type Static, t } from "elysia";
import { jwtVerify, SignJWT } from "jose";
import { keyFor } from "./keys.ts";

const ISSUER = "orrery-panel";
/** An identity is used at once. */
export const IDENTITY_SECONDS = 60;
/** Who checks one knows the panel's time but for what a call takes. */
const SKEW_SECONDS = 2;

const Claims = t.Object({
  /** The account on the panel; the same in all workspaces. */
  sub: t.String({ minLength: 1 }),
  email: t.String(),
  name: t.String(),
  /** The role in the workspace that the node belongs to. */
  role: t.String(),
  tenant_id: t.String(),
  jti: t.String({ minLength: 1 }),
  /** Milliseconds, on the panel's clock; only for staff whom the workspace lets in until then. */
  until: t.Optional(t.Integer({ minimum: 0 })),
});

/** Somebody the panel knows, as it tells a node. */
export interface PanelIdentity {
  account_id: string;
  email: string;
  name: string;
  role: string;
  tenant_id: string;
  /** Names this telling, so that it can be used once. */
  id: string;
  /** Until when the workspace lets them in, in milliseconds of the panel's clock: they are staff of the panel. Left out for its own people. */
  until?: number;
}

/** Tells one node who somebody is; good for a minute. `now` is milliseconds. */
export function signIdentity(secret: string, nodeId: string, identity: PanelIdentity, now: number): Promise<string> {
  const { account_id, id, ...rest } = identity;
  const issued = Math.floor(now / 1000);
  return new SignJWT({ ...rest })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(ISSUER)
    .setAudience(nodeId)
    .setSubject(account_id)
    .setJti(id)
    .setIssuedAt(issued)
    .setExpirationTime(issued + IDENTITY_SECONDS)
    .sign(keyFor("identity", secret));
}

/**
 * Who the panel says that somebody is; null unless it was told to this node, under this secret, at this moment. `now` is the
 * panel's time.
 */
export async function verifyIdentity(
  secret: string,
  nodeId: string,
  token: string,
  now: number,
): Promise<PanelIdentity | null> {
  try {
    const { payload } = await jwtVerify(token, keyFor("identity", secret), {
      algorithms: ["HS256"],
      issuer: ISSUER,
      audience: nodeId,
      currentDate: new Date(now),
      clockTolerance: SKEW_SECONDS,
    });
    return readClaims(payload);
  } catch {
    return null;
  }
}

function readClaims(payload: unknown): PanelIdentity | null {
  if (!Value.Check(Claims, payload)) return null;
  const { sub, email, name, role, tenant_id, jti, until }: Static<typeof Claims> = payload;
  return { account_id: sub, email, name, role, tenant_id, id: jti, ...(until === undefined ? {} : { until }) };
}
