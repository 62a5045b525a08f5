/** Passkeys: registration, sign-in without a user name, and what they need of the browser's address. */

import { isIP } from "node:net";
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { createSharedMap } from "../../../lib/shared-map.ts";
import type { PasskeyProof } from "../../../shared/webauthn/contract.ts";
import type { PasskeySupport } from "../../../shared/webauthn/index.ts";
import { CHALLENGE_MS } from "../../../shared/webauthn/index.ts";
import { MAX_CHALLENGES } from "./challenges.ts";
import { fail } from "./contract.ts";
import { passkeyMeanings } from "./events.ts";
import { passkeysWay } from "./manage.ts";
import init from "./migrations/0001_passkeys.sql" with { type: "text" };
import parents from "./migrations/0002_parents.sql" with { type: "text" };
import type { Needs, Own } from "./needs.ts";
import { type Proven, provePasskey } from "./prove.ts";
import { RP_ID_SETTING, readSupport } from "./relying-party.ts";
import { bindPasskeyRoutes } from "./routes.ts";

export { passkeysWay } from "./manage.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether passkeys can be made for this: names only, no addresses. */
const isDomain = (value: string): boolean =>
  value.length <= 253 && isIP(value) === 0 && value.split(".").every((label) => LABEL.test(label));

export const passkeysFeature = defineFeature({
  name: "passkeys",
  migrations: [init, parents],
  errors: fail.table,
  events: passkeyMeanings,
  settings: {
    [RP_ID_SETTING]: {
      default: "",
      byPeopleOnly: true,
      doc: "Domain that passkeys are made for, so that they work on all names below it; empty takes the name in use",
      check: (value: string) => (value === "" || isDomain(value) ? null : "must be a domain such as home.example.org"),
    },
  },
});

/** The passkeys of this node. */
export interface Passkeys extends Part {
  /**
   * Checks an authenticator's answer and tells whose passkey it is, whether the authenticator checked its holder, and what it ends with.
   * Throws `passkey_challenge_gone`, `passkey_refused`.
   */
  prove(proof: PasskeyProof, ip: string): Promise<Proven>;
  /** Whether passkeys work for the address of this request. */
  readSupport(request: Request, isHttps: boolean): PasskeySupport;
}

export function createPasskeys(needs: Needs): Passkeys {
  const own: Own = {
    ...needs,
    challenges: createSharedMap(needs.clock, { size: MAX_CHALLENGES, ttlMs: CHALLENGE_MS }),
  };
  needs.lists.lastingWays.add(passkeysWay(needs));
  return {
    feature: passkeysFeature,
    prove: (proof, ip) => provePasskey(own, proof, ip),
    readSupport: (request, isHttps) => readSupport(own, request, isHttps),
    routes: [bindPasskeyRoutes(own)],
  };
}
