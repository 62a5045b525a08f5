import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** Terminals of the server itself. */
export const hostTerminalsFeature: Feature = {
  screens: [
    {
      id: "host-terminal",
      pattern: "/terminal",
      title: "Terminal",
      icon: "terminal",
      nav: { key: "j", group: "manage", order: 6 },
      mayOpen: isAdmin,
      view: lazy(() => import("./host-terminal.tsx").then((module) => module.HostTerminal), { ahead: false }),
    },
  ],
};
