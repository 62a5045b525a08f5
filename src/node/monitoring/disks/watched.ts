import type { Watched } from "../../watched.ts";
import type { Needs } from "./needs.ts";

/** What alerts can be about of disks. */
export const watchDisks = ({ host }: Pick<Needs, "host">): Watched => ({
  kinds: [
    {
      kind: "disk",
      any: "any disk",
      removed: "the disk is not in this server any more",
      look: () => host.hasBlockDevice,
    },
  ],
  states: [{ kind: "disk", name: "disk_health", label: "Disk health", title: "A disk reports trouble" }],
});
