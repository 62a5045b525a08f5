import { kernelFail } from "../../../../kernel/http/errors.ts";
import { appLimitOf, planForApps } from "../../../../shared/plans/index.ts";
import type { Actor } from "../../../actor.ts";
import { ComposeError, type ComposeProject } from "../../compose/index.ts";
import type { LoadedTemplate, Manifest } from "../../templates/index.ts";
import { composeVariables } from "../blueprint/blueprint.ts";
import { makeSecret } from "../blueprint/secrets.ts";
import { type AppConfig, type ConfigChange, fail, type InstallInput } from "../contract.ts";
import type { Own } from "../needs.ts";
import { countApps, findAppByName } from "../store.ts";
import { isPathDanger } from "./host-paths.ts";
import type { PlacedPort } from "./ports.ts";
import { resolveReach } from "./reach.ts";

const MIB = 1_048_576;
const NAME = /^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$/;

/** Throws `invalid_name` for a name that cannot be part of a host or container name. */
export function assertAppName(name: string): void {
  if (NAME.test(name)) return;
  const reason = "must be 1 to 40 lowercase letters, digits and dashes, with no dash at either end";
  throw kernelFail("invalid_name", { field: "name", reason });
}

/** The first of `name-2`, `name-3` … that no app has. */
export function suggestName({ db }: Pick<Own, "db">, name: string): string {
  for (let number = 2; ; number++) {
    const suffix = `-${number}`;
    const candidate = `${name.slice(0, 40 - suffix.length)}${suffix}`;
    if (!findAppByName(db, candidate)) return candidate;
  }
}

/** Throws `app_name_taken` with a name that is free. */
export function assertNameFree(own: Pick<Own, "db">, name: string): void {
  if (findAppByName(own.db, name)) throw fail("app_name_taken", { name, suggestion: suggestName(own, name) });
}

/** Throws `app_limit_reached` when the plan allows no further app. */
export function assertBelowLimit({ db, plan }: Pick<Own, "db" | "plan">): void {
  const { installed } = countApps(db);
  const limit = appLimitOf(plan());
  if (installed < limit) return;
  throw fail("app_limit_reached", { current_plan: plan(), required_plan: planForApps(installed + 1), limit });
}

/** Permissions that the template needs and the admin has not confirmed. */
export function unconfirmed({ manifest }: LoadedTemplate, config: AppConfig): string[] {
  const confirmed = new Set(config.permissions ?? []);
  return manifest.permissions.map(({ id }) => id).filter((id) => !confirmed.has(id));
}

/** Throws `key_cannot_confirm` for an API key that confirms any: what the app may do then outranks and outlives the key. */
export function assertMayConfirm({ key }: Pick<Actor, "key">, permissions: readonly string[] = []): void {
  if (key !== null && permissions.length > 0) throw fail("key_cannot_confirm");
}

/** Throws `key_cannot_open_app` for an API key that opens a port to the network: it would stay open when the key has ended. */
export function assertMayOpen({ key }: Pick<Actor, "key">, { publish, reach = {} }: ConfigChange = {}): void {
  if (key !== null && [publish, ...Object.values(reach)].includes("lan")) throw fail("key_cannot_open_app");
}

/**
 * Throws `key_cannot_open_app` where an app that a key installs would open a port to the network by its template alone, though people did
 * not say of all apps that they may.
 */
export async function assertStaysClosed(own: Own, { template: name, config = {} }: InstallInput): Promise<void> {
  if (own.settings.get("apps.publish_default") === "lan") return;
  const { manifest } = await own.templates.load(name);
  if (Object.values(resolveReach(own, manifest, config, null)).includes("lan")) throw fail("key_cannot_open_app");
}

/** What the template's Compose file is with these answers, and made-up secrets. Throws ComposeError. */
export function projectOf(
  template: LoadedTemplate,
  answers: Record<string, string>,
  ports: readonly PlacedPort[],
): ComposeProject {
  const { manifest } = template;
  const secrets = Object.fromEntries(manifest.secrets.map((secret) => [secret.key, makeSecret(secret)]));
  return template.project(composeVariables(manifest, ports, answers, secrets));
}

/** Reads the Compose file with real answers, so that nothing unreadable is ever begun. */
export function assertReadable(
  template: LoadedTemplate,
  answers: Record<string, string>,
  ports: readonly PlacedPort[],
): ComposeProject {
  try {
    return projectOf(template, answers, ports);
  } catch (error) {
    if (!(error instanceof ComposeError)) throw error;
    throw kernelFail("invalid_request", { field: "template", reason: error.message });
  }
}

/**
 * Throws `invalid_request` when `config` names a service, port or permission that the template does not have, a limit
 * that the engine would refuse (it does so when the container is made anew, and the former one is gone by then), or more memory
 * than there is, which would be no limit.
 */
export function assertConfigFits(
  { runtime, host }: Pick<Own, "runtime" | "host">,
  manifest: Manifest,
  config: AppConfig,
): void {
  const cores = runtime.facts()?.cpus ?? 0;
  const memoryMb = Math.floor(host.memory().total / MIB);
  const refuse = (field: string, reason: string) => kernelFail("invalid_request", { field: `config.${field}`, reason });
  const ports = new Set(manifest.ports.map(({ service, container }) => `${service}:${container}`));
  for (const key of Object.keys(config.ports ?? {}))
    if (!ports.has(key)) throw refuse(`ports.${key}`, `is not a port of this app; it has ${[...ports].join(", ")}`);
  for (const port of manifest.ports.filter(({ host_network }) => host_network === true)) {
    const key = `${port.service}:${port.container}`;
    if ((config.ports?.[key] ?? port.container) !== port.container)
      throw refuse(`ports.${key}`, "is open on the server's own network and can be no other");
    if (config.reach?.[key] === "loopback")
      throw refuse(`reach.${key}`, "is open on the server's own network, so whoever reaches the server reaches it");
  }
  for (const key of Object.keys(config.reach ?? {}))
    if (!ports.has(key)) throw refuse(`reach.${key}`, `is not a port of this app; it has ${[...ports].join(", ")}`);
  for (const [key, { cpus = 0, memory_mb = 0 }] of Object.entries(config.limits ?? {})) {
    if (!Object.hasOwn(manifest.limits, key)) throw refuse(`limits.${key}`, "is not a service of this app");
    if (cores > 0 && cpus > cores)
      throw refuse(`limits.${key}.cpus`, `must be at most ${cores}, the processors that Docker has on this server`);
    if (memoryMb > 0 && memory_mb > memoryMb)
      throw refuse(`limits.${key}.memory_mb`, `must be at most ${memoryMb}, the MB of memory that this server has`);
  }
  for (const id of config.permissions ?? [])
    if (!isPathDanger(id) && !manifest.permissions.some((permission) => permission.id === id))
      throw refuse("permissions", `${id} is not a permission of this app`);
}
