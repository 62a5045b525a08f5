/** Passkeys: registration, sign-in without a user name, and what they need of the browser's address. */
import { isIP } from "node:net";
import { defineContextFeature } from "../../../kernel/feature.ts";
import type { NodeContext } from "../../context.ts";
import { fail } from "./contract.ts";
import { passkeyMeanings } from "./events.ts";
import init from "./migrations/0001_passkeys.sql" with { type: "text" };
import { RP_ID_SETTING } from "./relying-party.ts";
import { passkeyRoutes } from "./routes.ts";

export { type Challenges, MAX_CHALLENGES } from "./challenges.ts";
export { provePasskey } from "./prove.ts";
export { type PasskeySupport, readPasskeySupport } from "./relying-party.ts";

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether passkeys can be made for this: names only, no addresses. */
const isDomain = (value: string): boolean =>
  value.length <= 253 && isIP(value) === 0 && value.split(".").every((label) => LABEL.test(label));

export const passkeys = defineContextFeature<NodeContext>({
  name: "passkeys",
  migrations: [init],
  errors: fail.table,
  events: passkeyMeanings,
  settings: {
    [RP_ID_SETTING]: {
      default: "",
      doc: "Domain that passkeys are made for, so that they work on all names below it; empty takes the name in use",
      check: (value) => (value === "" || isDomain(value) ? null : "must be a domain such as home.example.org"),
    },
  },
  routes: passkeyRoutes,
});
