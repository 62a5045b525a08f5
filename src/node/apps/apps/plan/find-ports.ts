import type { Manifest } from "../../templates/index.ts";
import { EVERYWHERE, LOOPBACK } from "../blueprint/blueprint.ts";
import type { AppConfig } from "../contract.ts";
import type { Own } from "../needs.ts";
import { type PlacedPort, placePorts, type WantedPort } from "./ports.ts";
import { takenPorts } from "./taken-ports.ts";

/** The ports that an app needs and where they may be reached: the admin's word, else the manifest's, else the setting's. */
export function wantedPorts({ settings }: Pick<Own, "settings">, manifest: Manifest, config: AppConfig): WantedPort[] {
  return manifest.ports.map(({ service, container, protocol = "tcp", purpose, publish, host }) => {
    const declared = publish === "lan" || publish === "public" ? "lan" : settings.get("apps.publish_default");
    const reach = config.publish ?? declared;
    return {
      service,
      container,
      protocol,
      purpose,
      bind: reach === "lan" ? EVERYWHERE : LOOPBACK,
      wanted: config.ports?.[`${service}:${container}`] ?? host ?? null,
    };
  });
}

/** Finds places for the ports of an app that is not there yet, or has lost its own. */
export async function findPorts(
  own: Pick<Own, "db" | "runtime" | "settings" | "host">,
  manifest: Manifest,
  config: AppConfig,
  exceptAppId: string | null,
): Promise<PlacedPort[]> {
  return placePorts(wantedPorts(own, manifest, config), await takenPorts(own, exceptAppId));
}
