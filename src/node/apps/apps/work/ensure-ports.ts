import { lanAddress, readBlueprint } from "../blueprint/blueprint.ts";
import { APP_LABEL, SERVICE_LABEL } from "../blueprint/names.ts";
import { MOST_LOOKS, reservedByOthers, wantedPorts } from "../plan/find-ports.ts";
import { EVERYWHERE, findHolder, LOOPBACK, type PlacedPort, placePorts, type WantedPort } from "../plan/ports.ts";
import { reachOf } from "../plan/reach.ts";
import { portsInUse, takenPorts } from "../plan/taken-ports.ts";
import { replacePorts } from "../store.ts";
import { AppFailure, explainFixedPort } from "./failure.ts";
import type { Work } from "./work.ts";

type PortOfService = Pick<PlacedPort, "service" | "container" | "protocol">;

const isSamePort = (a: PortOfService, b: PortOfService): boolean =>
  a.service === b.service && a.container === b.container && a.protocol === b.protocol;

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
  const isLost = (port: PlacedPort) => !running.has(port.service) && findHolder(port, inUse) !== null;
  const kept = ports.filter((port) => !isLost(port));
  const missing = wantedPorts(own, manifest, config, null)
    .filter((port) => !kept.some((known) => isSamePort(known, port)))
    .map((port): WantedPort => {
      const before = ports.find((known) => isSamePort(known, port));
      return before ? { ...port, bind: reachOf(before.bind) === "lan" ? EVERYWHERE : LOOPBACK } : port;
    });
  if (missing.length === 0) return;
  const isFixed = (port: PlacedPort) => missing.some((one) => one.isFixed && isSamePort(one, port));
  const former = ports.filter((port) => !isFixed(port));
  for (let looks = 1; ; looks++) {
    const taken = [
      ...(await takenPorts(own, app.id)),
      ...inUse,
      ...former.map(({ bind, host, protocol }) => ({ address: bind, port: host, protocol })),
    ];
    const placed = placePorts(missing, taken, lanAddress());
    const stuck = placed.find((port) => isFixed(port) && findHolder(port, taken) !== null);
    if (stuck) throw new AppFailure(explainFixedPort(stuck.host));
    const [lost] = own.db.tx(() => {
      const reserved = reservedByOthers(own.db, app.id, placed);
      if (reserved.length === 0) replacePorts(own.db, app.id, [...kept, ...placed]);
      return reserved;
    });
    if (!lost) break;
    if (looks === MOST_LOOKS) throw new AppFailure(explainFixedPort(lost.host));
  }
  for (const port of ports.filter(isLost))
    op.log(`Another program took port ${port.host}; the app gets another place.`);
  work.blueprint = readBlueprint(own, app);
}
