/** Registration: who may make an account, and how fast accounts and workspaces may become more. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import { bindRoutes } from "../../route.ts";
import { fail, type RegistrationMode, registrationRoutes } from "./contract.ts";
import { createGrowth, type Growth } from "./growth.ts";
import init from "./migrations/0001_registration.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { findMode, saveMode } from "./store.ts";

export { createRegistrationCommand, type RegistrationCommandNeeds } from "./commands.ts";
export type { RegistrationMode } from "./contract.ts";

export const registrationFeature = defineFeature({ name: "registration", migrations: [init], errors: fail.table });

export interface Registration extends Part {
  /** Who may make an account now. */
  mode(): Promise<RegistrationMode>;
  /** Chooses that; null follows the configuration again. */
  choose(mode: RegistrationMode | null): Promise<void>;
  /** Throws `registration_invite_only` or `registration_closed` unless anybody may make an account. */
  requireOpen(): Promise<void>;
  /** Throws `registration_closed` when not even a workspace may invite new people. */
  requireNotClosed(): Promise<void>;
  growth: Growth;
}

export function createRegistration({ system, config, clock }: Needs): Registration {
  const mode = async () => (await findMode(system)) ?? config.registration;
  return {
    feature: registrationFeature,
    routes: [bindRoutes(registrationRoutes, { "GET /api/auth/registration": async () => ({ mode: await mode() }) })],
    mode,
    choose: (chosen) => saveMode(system, chosen),
    async requireOpen() {
      const now = await mode();
      if (now !== "open") throw fail(`registration_${now}`);
    },
    async requireNotClosed() {
      if ((await mode()) === "closed") throw fail("registration_closed");
    },
    growth: createGrowth(clock, config.growth_rate),
  };
}
