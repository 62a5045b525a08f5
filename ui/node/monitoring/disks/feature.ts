import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** How healthy the disks are. */
export const disksFeature: Feature = {
  screens: [
    {
      id: "disks",
      pattern: "/disks",
      title: "Disks",
      icon: "disk",
      nav: { key: "d", group: "watch", order: 50 },
      view: lazy(() => import("./disks.tsx").then((module) => module.Disks)),
    },
  ],
};
