import type { Store } from "../../../../kernel/db/store.ts";
import type { Manifest } from "../../templates/index.ts";
import { lanAddress } from "../blueprint/blueprint.ts";
import { type AppConfig, fail } from "../contract.ts";
import type { Own } from "../needs.ts";
import { listAllPorts, replacePorts } from "../store.ts";
import { EVERYWHERE, findHolder, LOOPBACK, type PlacedPort, placePorts, type WantedPort } from "./ports.ts";
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

/** How often places are looked for, when somebody else takes them meanwhile. */
export const MOST_LOOKS = 5;

/** Those of the ports, placed for an app or for one that is not there yet (null), that another app has reserved by now. */
export function reservedByOthers(db: Store, appId: string | null, ports: readonly PlacedPort[]): PlacedPort[] {
  const others = listAllPorts(db).flatMap(({ app_id, bind, host, protocol }) =>
    app_id === appId ? [] : [{ address: bind, port: host, protocol }],
  );
  return ports.filter((port) => findHolder(port, others) !== null);
}

/** Reserves ports for an app, instead of those that it has. Throws `app_port_taken` where another app was given one meanwhile. */
export function reservePorts(db: Store, appId: string, ports: readonly PlacedPort[]): void {
  const [lost] = reservedByOthers(db, appId, ports);
  if (lost) throw fail("app_port_taken", { port: lost.host, advice: "Another app got it in this moment: try again." });
  replacePorts(db, appId, ports);
}
