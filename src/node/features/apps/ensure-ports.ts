import type { NodeContext } from "../../context.ts";
import type { Manifest } from "../templates/index.ts";
import { EVERYWHERE, LOOPBACK, readBlueprint } from "./blueprint.ts";
import type { AppConfig } from "./contract.ts";
import { APP_LABEL } from "./names.ts";
import { type PlacedPort, placePorts, portKey, type WantedPort } from "./ports.ts";
import { replacePorts } from "./store.ts";
import { portsInUse, takenPorts } from "./taken-ports.ts";
import type { Work } from "./work.ts";

/** The ports that an app needs and where they may be reached: the admin's word, else the manifest's, else the setting's. */
export function wantedPorts(
  { settings }: Pick<NodeContext, "settings">,
  manifest: Manifest,
  config: AppConfig,
): WantedPort[] {
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
  ctx: Pick<NodeContext, "db" | "runtime" | "settings">,
  manifest: Manifest,
  config: AppConfig,
  exceptAppId: string | null,
): Promise<PlacedPort[]> {
  return placePorts(wantedPorts(ctx, manifest, config), await takenPorts(ctx, exceptAppId));
}

/** Gives an app that does not run other ports when somebody took one of its own in the meantime. */
export async function ensurePorts(work: Work): Promise<void> {
  const { ctx, engine, blueprint, op } = work;
  const { app, manifest, config, ports } = blueprint;
  const containers = await engine.listContainers({ [APP_LABEL]: app.id });
  // Then it is the app itself that holds them.
  if (containers.some(({ State }) => State === "running")) return;
  const inUse = portsInUse();
  const lost = ports.filter((port) => inUse.has(portKey(port.host, port.protocol)));
  if (lost.length === 0 && ports.length === manifest.ports.length) return;
  const taken = new Set([...(await takenPorts(ctx, app.id)), ...lost.map((port) => portKey(port.host, port.protocol))]);
  const placed = placePorts(wantedPorts(ctx, manifest, config), taken);
  replacePorts(ctx.db, app.id, placed);
  for (const port of lost) op.log(`Another program took port ${port.host}; the app gets another one.`);
  work.blueprint = readBlueprint(ctx, app);
}
