import { bytesText } from "../../../client/format.ts";
import { navigate } from "../../../client/router.ts";
import type { Finder } from "../../../shell/finder.ts";
import { resource } from "../../client/resource.ts";
import { nameOf } from "./words.ts";

const disks = () => resource("GET /api/disks/overview");

/** Each disk by its name, its model and where it is mounted. */
export const disksFinder: Finder = {
  order: 30,
  open: () => disks().need(),
  list: () =>
    (disks().data.value ?? []).map(({ device, model, serial, mounts, size_bytes }) => ({
      id: `disk-${device}`,
      title: nameOf(device),
      detail: [model, bytesText(size_bytes)].filter(Boolean).join(", "),
      group: "Disk",
      icon: "disk",
      words: [model, serial, ...mounts].filter(Boolean).join(" "),
      run: () => navigate(`/disks?disk=${encodeURIComponent(nameOf(device))}`),
    })),
};
