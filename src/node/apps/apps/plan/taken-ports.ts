import type { Own } from "../needs.ts";
import { listAllPorts } from "../store.ts";
import { EVERYWHERE, isEverywhere, portKey, type TakenPort } from "./ports.ts";

/** All ports that some program on this host holds right now. */
export function portsInUse({ host }: Pick<Own, "host">): TakenPort[] {
  return host.heldPorts();
}

/**
 * All ports that an app cannot have: held on the host, published by any container, or reserved for another app that may be
 * stopped. Those of `exceptAppId` do not count.
 */
export async function takenPorts(
  { db, runtime, host }: Pick<Own, "db" | "runtime" | "host">,
  exceptAppId: string | null,
): Promise<TakenPort[]> {
  const published = (await runtime.engine()?.listContainers({})) ?? [];
  const reserved = listAllPorts(db);
  const own = reserved.filter((row) => row.app_id === exceptAppId);
  // Somebody else may have the same port on another address.
  const isOwn = ({ address, port, protocol }: TakenPort) =>
    own.some(
      (row) =>
        portKey(row.host, row.protocol) === portKey(port, protocol) &&
        (row.bind === address || (row.bind === EVERYWHERE && isEverywhere(address))),
    );
  const others = [
    ...portsInUse({ host }),
    ...published.flatMap(({ Ports }) =>
      (Ports ?? []).flatMap(({ IP, PublicPort, Type }) =>
        PublicPort ? [{ address: IP ?? "", port: PublicPort, protocol: Type }] : [],
      ),
    ),
  ].filter((place) => !isOwn(place));
  return [
    ...others,
    ...reserved
      .filter((row) => row.app_id !== exceptAppId)
      .map((row) => ({ address: row.bind, port: row.host, protocol: row.protocol })),
  ];
}
