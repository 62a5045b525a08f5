import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** Terminals in apps of nodes. */
export const nodeTerminalsFeature: Feature = {
  screens: [
    {
      id: "node-terminal",
      pattern: "/nodes/:id/terminal",
      title: "Terminal",
      icon: "terminal",
      parent: "fleet",
      mayOpen: () => may("fleet:shell", { ownRole: true }),
      view: lazy(() => import("./screens.ts").then((module) => module.NodeTerminal)),
    },
  ],
  partKeys: [{ title: "In a terminal", keys: [{ shown: ["Shift", "F6"], what: "Leave the terminal" }] }],
};
