/** Registries: the logins that images of one registry each are pulled with. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { RegistryLogin } from "../runtime/index.ts";
import { fail } from "./contract.ts";
import { registryMeanings } from "./events.ts";
import init from "./migrations/0001_registries.sql" with { type: "text" };
import type { Needs } from "./needs.ts";
import { listLogins } from "./registries.ts";
import { bindRegistryRoutes } from "./routes.ts";

export const registriesFeature = defineFeature({
  name: "registries",
  migrations: [init],
  errors: fail.table,
  events: registryMeanings,
});

/** The logins that people added. */
export interface Registries extends Part {
  /** All of them in clear; each is for images of its own registry alone. */
  logins(): RegistryLogin[];
}

export function createRegistries(needs: Needs): Registries {
  return {
    feature: registriesFeature,
    routes: [bindRegistryRoutes(needs)],
    logins: () => listLogins(needs),
  };
}
