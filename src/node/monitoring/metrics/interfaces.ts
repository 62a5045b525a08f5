import type { NetworkInterface } from "./contract.ts";
import type { Own } from "./needs.ts";

/** The host's interfaces but loopback and the ends of containers, the default route's first. */
export async function listInterfaces({ host, live }: Pick<Own, "host" | "live">): Promise<NetworkInterface[]> {
  const [found, sample] = [host.interfaces(), await live.sample()];
  const rates = new Map([...sample.ifaces, { ...sample.net, name: sample.net.iface }].map((one) => [one.name, one]));
  return found
    .map((iface) => ({
      ...iface,
      is_default: iface.name === sample.net.iface,
      rx_bytes_per_sec: rates.get(iface.name)?.rx_bytes_per_sec ?? null,
      tx_bytes_per_sec: rates.get(iface.name)?.tx_bytes_per_sec ?? null,
    }))
    .sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
}

function rank({ is_default, kind }: Pick<NetworkInterface, "is_default" | "kind">): number {
  if (is_default) return 0;
  return kind === "virtual" ? 2 : 1;
}
