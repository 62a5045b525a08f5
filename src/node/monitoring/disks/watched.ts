import type { Watched } from "../../watched.ts";
import type { Needs } from "./needs.ts";

/** What alerts can be about of disks. */
export const watchDisks = ({ host }: Pick<Needs, "host">): Watched => ({
  kinds: [
    {
      kind: "disk",
      any: "any disk",
      removed: "the disk is not in this server any more",
      // Events name a disk by its device: `/dev/sda`.
      look: () => (device) => host.hasBlockDevice(device.replace(/^\/dev\//, "")),
    },
  ],
  states: [{ kind: "disk", name: "disk_health", label: "Disk health", title: "A disk reports trouble" }],
});
