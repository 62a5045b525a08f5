import { readBlueprint } from "../blueprint/blueprint.ts";
import { APP_LABEL, SERVICE_LABEL } from "../blueprint/names.ts";
import { wantedPorts } from "../plan/find-ports.ts";
import { type PlacedPort, placePorts, portKey, type WantedPort } from "../plan/ports.ts";
import { portsInUse, takenPorts } from "../plan/taken-ports.ts";
import { replacePorts } from "../store.ts";
import type { Work } from "./work.ts";

/** Gives services that do not run other ports when somebody took theirs in the meantime. */
export async function ensurePorts(work: Work): Promise<void> {
  const { own, engine, blueprint, op } = work;
  const { app, manifest, config, ports } = blueprint;
  const containers = await engine.listContainers({ [APP_LABEL]: app.id });
  // A running service holds its ports itself.
  const running = new Set(
    containers.filter(({ State }) => State === "running").map((item) => item.Labels[SERVICE_LABEL]),
  );
  const inUse = portsInUse(own);
  const isLost = (port: PlacedPort) => !running.has(port.service) && inUse.has(portKey(port.host, port.protocol));
  const kept = ports.filter((port) => !isLost(port));
  const isKept = ({ service, container, protocol }: WantedPort) =>
    kept.some((port) => port.service === service && port.container === container && port.protocol === protocol);
  const missing = wantedPorts(own, manifest, config).filter((port) => !isKept(port));
  if (missing.length === 0) return;
  const former = ports.map((port) => portKey(port.host, port.protocol));
  const placed = placePorts(missing, new Set([...(await takenPorts(own, app.id)), ...former]));
  replacePorts(own.db, app.id, [...kept, ...placed]);
  for (const port of ports.filter(isLost)) op.log(`Another program took port ${port.host}; the app gets another one.`);
  work.blueprint = readBlueprint(own, app);
}
