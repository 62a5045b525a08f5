import { kernelFail } from "../../../kernel/http/errors.ts";
import type { Manifest } from "../templates/index.ts";
import type { AppConfig } from "./contract.ts";

/** Throws `invalid_request` when `config` names a service, port or permission that the template does not have. */
export function assertConfigFits(manifest: Manifest, config: AppConfig): void {
  const refuse = (field: string, reason: string) => kernelFail("invalid_request", { field: `config.${field}`, reason });
  const ports = new Set(manifest.ports.map(({ service, container }) => `${service}:${container}`));
  for (const key of Object.keys(config.ports ?? {}))
    if (!ports.has(key)) throw refuse(`ports.${key}`, `is not a port of this app; it has ${[...ports].join(", ")}`);
  for (const key of Object.keys(config.limits ?? {}))
    if (!(key in manifest.limits)) throw refuse(`limits.${key}`, "is not a service of this app");
  for (const id of config.permissions ?? [])
    if (!manifest.permissions.some((permission) => permission.id === id))
      throw refuse("permissions", `${id} is not a permission of this app`);
}
