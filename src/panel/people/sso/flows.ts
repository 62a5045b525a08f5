import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { createSharedMap, type SharedMap } from "../../../lib/shared-map.ts";
import type { Received } from "./saml/receive.ts";
import type { ConnectorRow } from "./store.ts";

/** How long somebody has for signing in at the provider. */
export const FLOW_MS = minutes(10);
const TEST_MS = minutes(5);
const PASS_MS = minutes(5);
const LANDED_MS = minutes(2);
const MAX_FLOWS = 20_000;
/** Answers to tests are kept whole, so few of them. */
const MAX_TESTS_LANDED = 100;

/** A browser that was sent to a provider and has not come back. */
export interface Flow {
  connector_id: string;
  /** Of the connector when it began: another provider or client ends it. */
  version: number;
  /** Of SAML the id of the request is made of it. */
  nonce: string;
  /** Of the proof key of OpenID Connect. */
  verifier: string;
  /** What the browser holds in a cookie. */
  browser: string;
  return_to: string;
  redirect_uri: string;
  /** The address that it began at. */
  ip: string;
  /** The member who tests; null for a sign-in. */
  tester: Tester | null;
}

/** Who tests a connector. */
export interface Tester {
  tenant_id: string;
  member_id: string;
  account_id: string;
  connector_id: string;
}

/** What a provider said of somebody, checked: who they are there, and what they are called. */
export interface Identity {
  issuer: string;
  subject: string;
  /** In small letters; null when it was not told. */
  email: string | null;
  email_verified: boolean;
  name: string | null;
  /** Groups or roles, where the connector says where they are told. */
  groups: string[];
}

/** Somebody whom the provider named, and who may come in now. */
export interface Pass {
  connector: Pick<ConnectorRow, "tenant_id" | "id" | "version">;
  identity: Identity;
  browser: string;
  /** Wrong proofs of an account that was there before. */
  tries: number;
}

/** An answer of a provider of SAML that was taken, of which it has to turn out whose browser brought it. */
export interface Landed<What> {
  flow: Flow;
  what: What;
}

/** Kept in memory: a restart ends them, and whoever was in the middle begins anew. Where there are too many, who has most makes room. */
export interface Flows {
  /** By the state that the provider gives back; of the networks of whoever began. */
  underway: SharedMap<Flow>;
  /** By the token of the address that a test begins at; of a workspace. */
  tests: SharedMap<Tester>;
  /** Who signed in at a provider of SAML, and what one said in a test: by the ticket that the browser is sent on with; of a connector. */
  landed: SharedMap<Landed<Identity>>;
  landedTests: SharedMap<Landed<Received>>;
  /** By the one-time code of the page that comes after; of a workspace, whose provider can name anybody as often as it likes. */
  passes: SharedMap<Pass>;
}

/** Nobody is on the way. */
export function createFlows(clock: Clock): Flows {
  const kept = <V>(ttlMs: number, size = MAX_FLOWS) => createSharedMap<V>(clock, { size, ttlMs });
  return {
    ...{ underway: kept<Flow>(FLOW_MS), tests: kept<Tester>(TEST_MS), passes: kept<Pass>(PASS_MS) },
    landed: kept<Landed<Identity>>(LANDED_MS),
    landedTests: kept<Landed<Received>>(LANDED_MS, MAX_TESTS_LANDED),
  };
}
