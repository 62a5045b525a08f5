import type { ServiceSpec } from "../../compose/index.ts";
import type { Manifest } from "../../templates/index.ts";
import type { AppConfig } from "../contract.ts";
import type { AppRow } from "../store.ts";
import { configOf, manifestOf } from "./blueprint.ts";
import { containerName } from "./names.ts";

const MIB = 1_048_576;
/** Stops a fork bomb, stays out of everybody else's way. */
const DEFAULT_PIDS = 4096;

/** What one container may use; null is no limit. */
export interface Limits {
  memory_bytes: number | null;
  cpus: number | null;
  pids: number;
}

/** The limits of a service: the admin's, else the manifest's, else those of the Compose file. */
export function limitsOf(service: ServiceSpec, manifest: Manifest, config: AppConfig): Limits {
  const chosen = config.limits?.[service.name];
  const declared = manifest.limits[service.name];
  const memoryMb = chosen?.memory_mb ?? declared?.memory_mb;
  return {
    memory_bytes: memoryMb === undefined ? service.limits.memoryBytes : Math.round(memoryMb * MIB),
    cpus: chosen?.cpus ?? declared?.cpus ?? service.limits.cpus,
    pids: declared?.pids ?? service.limits.pids ?? DEFAULT_PIDS,
  };
}

/** Containers of an app with their memory limits as far as the admin or the manifest names them, without its Compose file. */
export function memoryLimitsOf(app: AppRow): { container: string; memory_mb: number | null }[] {
  const chosen = configOf(app).limits ?? {};
  return Object.entries(manifestOf(app).limits ?? {}).map(([service, { memory_mb }]) => ({
    container: containerName(app, service),
    memory_mb: chosen[service]?.memory_mb ?? memory_mb ?? null,
  }));
}
