import { parseAddress } from "../../../../kernel/outgoing/address.ts";
import { isOwnAddress } from "../../../../kernel/outgoing/ranges.ts";
import { seconds } from "../../../../lib/duration.ts";
import { parseJson } from "../../../../lib/json.ts";
import { APP_LABEL } from "../../../apps/apps/index.ts";
import type { ContainerSummary, Engine } from "../../../apps/runtime/index.ts";
import type { ForwarderRow } from "../forwarders/forwarder-store.ts";
import type { Needs } from "../needs.ts";
import { asChecked, destinationOf } from "../senders/index.ts";
import { findPlace } from "../senders/reach.ts";

/** Containers come and go, and names lead elsewhere. */
const LOOK_EVERY_MS = seconds(10);
/** Containers that have one of these in common are of one app. */
const TOGETHER = [APP_LABEL, "com.docker.compose.project"];

type Deps = Pick<Needs, "clock" | "log" | "ownPorts" | "runtime">;

/** The logs of this server that a forwarder must not take from. */
export interface OwnReceivers {
  logsOf(row: ForwarderRow): Promise<ReadonlySet<string>>;
  /** The same as it was found last, by the names of the containers. */
  latest(id: string): string[];
}

const addressesOf = ({ NetworkSettings }: ContainerSummary): (string | undefined)[] =>
  Object.values(NetworkSettings?.Networks ?? {}).flatMap(({ IPAddress, GlobalIPv6Address }) => [
    IPAddress,
    GlobalIPv6Address,
  ]);

const PREFIX = "docker:";

const logsOfContainer = ({ Names }: ContainerSummary): string[] => Names.map((name) => `${PREFIX}${name.slice(1)}`);

/**
 * Finds out which containers of this server are the receiver of a forwarder, with the rest of their app. A receiver that prints
 * what it gets would be sent its own lines, print them, and so on for ever.
 */
export function createOwnReceivers({ clock, log, ownPorts, runtime }: Deps): OwnReceivers {
  const known = new Map<string, { at: number; config: string; logs: Promise<ReadonlySet<string>> }>();
  const found = new Map<string, ReadonlySet<string>>();

  /** Whether a container listens there on the server's own network, where nothing is published: its image says on what it listens. */
  async function listensHere(engine: Engine, { Id, HostConfig }: ContainerSummary, port: string): Promise<boolean> {
    if (HostConfig?.NetworkMode !== "host") return false;
    const info = await engine.inspectContainer(Id);
    return Object.keys(info?.Config.ExposedPorts ?? {}).includes(port);
  }

  async function find(row: ForwarderRow): Promise<ReadonlySet<string>> {
    const checked = asChecked(row.kind, parseJson(row.config));
    const engine = runtime.engine();
    if (checked === null || engine === null) return new Set();
    const { place, transport } = destinationOf(checked);
    const [addresses, containers] = await Promise.all([findPlace(ownPorts, place), engine.listContainers({})]);
    const isHere = addresses.some((text) => {
      const address = parseAddress(text);
      return address !== null && isOwnAddress(address);
    });
    const receivers = containers.filter(
      (container) =>
        addressesOf(container).some((address) => address !== undefined && addresses.includes(address)) ||
        (isHere && container.Ports?.some(({ PublicPort, Type }) => PublicPort === place.port && Type === transport)),
    );
    if (isHere && receivers.length === 0) {
      for (const container of containers) {
        if (await listensHere(engine, container, `${place.port}/${transport}`)) receivers.push(container);
      }
    }
    const isOfOne = ({ Labels }: ContainerSummary): boolean =>
      receivers.some((one) =>
        TOGETHER.some((label) => Labels[label] !== undefined && Labels[label] === one.Labels[label]),
      );
    return new Set([...receivers, ...containers.filter(isOfOne)].flatMap(logsOfContainer));
  }

  return {
    logsOf(row) {
      const before = known.get(row.id);
      const now = clock.monotonic();
      if (before?.config === row.config && now - before.at < LOOK_EVERY_MS) return before.logs;
      const looked = find(row);
      looked.then(
        (logs) => void found.set(row.id, logs),
        () => {},
      );
      const logs = looked.catch((error: unknown) => {
        log.debug("whether a log receiver runs on this server could not be found out", { forwarder_id: row.id, error });
        return before?.config === row.config ? before.logs : new Set<string>();
      });
      known.set(row.id, { at: now, config: row.config, logs });
      return logs;
    },
    latest: (id) => [...(found.get(id) ?? [])].map((log) => log.slice(PREFIX.length)).sort(),
  };
}
