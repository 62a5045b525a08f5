import type { Own } from "../needs.ts";
import { listAllPorts } from "../store.ts";
import { portKey } from "./ports.ts";

/** Keys of all ports that some program on this host holds right now. */
export function portsInUse({ host }: Pick<Own, "host">): Set<string> {
  return new Set(host.heldPorts().map(({ port, protocol }) => portKey(port, protocol)));
}

/**
 * Keys of all ports that a new app cannot have: held on the host, published by any container, or reserved for another
 * app that may be stopped. Those of `exceptAppId` do not count.
 */
export async function takenPorts(
  { db, runtime, host }: Pick<Own, "db" | "runtime" | "host">,
  exceptAppId: string | null,
): Promise<Set<string>> {
  const published = (await runtime.engine()?.listContainers({})) ?? [];
  const reserved = listAllPorts(db);
  const own = new Set(
    reserved.filter((row) => row.app_id === exceptAppId).map((row) => portKey(row.host, row.protocol)),
  );
  const others = [
    ...portsInUse({ host }),
    ...published.flatMap(({ Ports }) =>
      (Ports ?? []).flatMap((port) => (port.PublicPort ? [portKey(port.PublicPort, port.Type)] : [])),
    ),
  ].filter((key) => !own.has(key));
  return new Set([
    ...others,
    ...reserved.filter((row) => row.app_id !== exceptAppId).map((row) => portKey(row.host, row.protocol)),
  ]);
}
