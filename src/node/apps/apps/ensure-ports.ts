import type { NodeContext } from "../../context.ts";
import type { Manifest } from "../templates/index.ts";
import { EVERYWHERE, LOOPBACK, readBlueprint } from "./blueprint.ts";
import type { AppConfig } from "./contract.ts";
import { APP_LABEL, SERVICE_LABEL } from "./names.ts";
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

/** Gives services that do not run other ports when somebody took theirs in the meantime. */
export async function ensurePorts(work: Work): Promise<void> {
  const { ctx, engine, blueprint, op } = work;
  const { app, manifest, config, ports } = blueprint;
  const containers = await engine.listContainers({ [APP_LABEL]: app.id });
  // A running service holds its ports itself.
  const running = new Set(
    containers.filter(({ State }) => State === "running").map((item) => item.Labels[SERVICE_LABEL]),
  );
  const inUse = portsInUse();
  const isLost = (port: PlacedPort) => !running.has(port.service) && inUse.has(portKey(port.host, port.protocol));
  const kept = ports.filter((port) => !isLost(port));
  const isKept = ({ service, container, protocol }: WantedPort) =>
    kept.some((port) => port.service === service && port.container === container && port.protocol === protocol);
  const missing = wantedPorts(ctx, manifest, config).filter((port) => !isKept(port));
  if (missing.length === 0) return;
  const own = ports.map((port) => portKey(port.host, port.protocol));
  const placed = placePorts(missing, new Set([...(await takenPorts(ctx, app.id)), ...own]));
  replacePorts(ctx.db, app.id, [...kept, ...placed]);
  for (const port of ports.filter(isLost)) op.log(`Another program took port ${port.host}; the app gets another one.`);
  work.blueprint = readBlueprint(ctx, app);
}
