import type { Watched } from "../../watched.ts";
import type { Needs } from "./needs.ts";

/** What alerts can be about of the machine itself. */
export const watchMachine = ({ identity, host }: Pick<Needs, "identity" | "host">): Watched => ({
  kinds: [
    {
      kind: "host",
      isSingle: true,
      any: "this server",
      vital: "cpu_percent",
      names: () => new Map([["host", identity.name()]]),
    },
    {
      kind: "iface",
      any: "any network interface",
      removed: "the interface is not there any more",
      isFleeting: true,
      look: () => host.hasInterface,
    },
    {
      kind: "fs",
      any: "any disk",
      removed: "it is not mounted any more",
      isFleeting: true,
      look() {
        const mounted = new Set(host.mounts().map(({ point }) => point));
        // Where the kernel shows no list, everything counts as there.
        return (point) => mounted.size === 0 || mounted.has(point);
      },
    },
  ],
});
