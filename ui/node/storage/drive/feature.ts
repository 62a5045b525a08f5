import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Files of the one who is signed in. */
export const driveFeature: Feature = {
  screens: [
    {
      id: "drive",
      pattern: "/drive",
      title: "Drive",
      icon: "folder",
      nav: { key: "r", group: "main", order: 45 },
      view: lazy(() => import("./drive.tsx").then((module) => module.Drive)),
    },
  ],
  partKeys: [
    {
      title: "In the Drive",
      keys: [
        { shown: ["Ctrl", "A"], what: "Select all" },
        { shown: ["Del"], what: "Move what is selected to the trash" },
        { shown: ["←", "→", "↑", "↓"], what: "Go to the next tile, or the next file that is looked at" },
      ],
    },
  ],
};
