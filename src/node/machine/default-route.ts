const UP = 0x1;
const GATEWAY = 0x2;
const REJECT = 0x200;

interface Route {
  iface: string;
  metric: number;
  flags: number;
}

/** The interface that the kernel would take: the lowest metric, and with equal ones the route that has a gateway. */
function best(routes: readonly Route[]): string | null {
  const usable = routes.filter(({ flags, iface }) => (flags & UP) !== 0 && (flags & REJECT) === 0 && iface !== "lo");
  usable.sort((a, b) => a.metric - b.metric || (b.flags & GATEWAY) - (a.flags & GATEWAY));
  return usable[0]?.iface ?? null;
}

/** Interface of the IPv4 default route in `/proc/net/route`, or null. On-link ones (ppp, WireGuard) count too. */
export function parseDefaultRoute(text: string): string | null {
  const routes: Route[] = [];
  for (const line of text.split("\n")) {
    const [iface, destination, , flags, , , metric, mask] = line.split(/\s+/, 8);
    if (iface === undefined || destination !== "00000000" || mask !== "00000000") continue;
    routes.push({ iface, metric: Number(metric), flags: Number.parseInt(flags ?? "0", 16) });
  }
  return best(routes);
}

/** Interface of the IPv6 default route in `/proc/net/ipv6_route`, or null. */
export function parseDefaultRoute6(text: string): string | null {
  const routes: Route[] = [];
  for (const line of text.split("\n")) {
    const [destination, prefix, , , , metric, , , flags, iface] = line.trim().split(/\s+/, 10);
    if (iface === undefined || prefix !== "00" || !/^0+$/.test(destination ?? "")) continue;
    routes.push({ iface, metric: Number.parseInt(metric ?? "0", 16), flags: Number.parseInt(flags ?? "0", 16) });
  }
  return best(routes);
}
