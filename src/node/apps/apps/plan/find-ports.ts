import type { Store } from "../../../../kernel/db/store.ts";
import type { Manifest } from "../../templates/index.ts";
import { lanAddress } from "../blueprint/blueprint.ts";
import { type AppConfig, fail } from "../contract.ts";
import type { Own } from "../needs.ts";
import { listAllPorts } from "../store.ts";
import { EVERYWHERE, findHolder, LOOPBACK, type PlacedPort, placePorts, portKey, type WantedPort } from "./ports.ts";
import { portName, resolveReach, type Visitor } from "./reach.ts";
import { takenPorts } from "./taken-ports.ts";

/** The ports that an app needs and where they may be reached. */
export function wantedPorts(
  own: Pick<Own, "settings">,
  manifest: Manifest,
  config: AppConfig,
  visitor: Visitor | null,
): WantedPort[] {
  const reach = resolveReach(own, manifest, config, visitor);
  return manifest.ports.map((port) => {
    const { service, container, protocol = "tcp", purpose, host, fixed = false, host_network: isOnHost = false } = port;
    const chosen = config.ports?.[portName(port)];
    return {
      service,
      container,
      protocol,
      purpose,
      bind: reach[portName(port)] === "lan" ? EVERYWHERE : LOOPBACK,
      wanted: isOnHost ? container : (chosen ?? host ?? null),
      isFixed: isOnHost || (fixed && chosen === undefined),
      isOnHost,
    };
  });
}

/** Finds places for the ports of an app that is not there yet. Throws `app_port_taken` for one that can have no other. */
export async function findPorts(
  own: Pick<Own, "db" | "runtime" | "settings" | "host">,
  manifest: Manifest,
  config: AppConfig,
  visitor: Visitor | null,
): Promise<PlacedPort[]> {
  const wanted = wantedPorts(own, manifest, config, visitor);
  const taken = await takenPorts(own, null);
  const placed = placePorts(wanted, taken, lanAddress());
  for (const [index, place] of placed.entries()) {
    if (!wanted[index]?.isFixed || findHolder(place, taken) === null) continue;
    throw fail("app_port_taken", { port: place.host, advice: "This app can use no other: free it first." });
  }
  return placed;
}

/** Whether no other app has reserved any of these ports by now. */
export function areFree(db: Store, ports: readonly PlacedPort[]): boolean {
  const reserved = new Set(listAllPorts(db).map(({ host, protocol }) => portKey(host, protocol)));
  return !ports.some(({ host, protocol }) => reserved.has(portKey(host, protocol)));
}
