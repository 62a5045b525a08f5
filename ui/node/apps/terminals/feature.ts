import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Terminals in containers. */
export const terminalsFeature: Feature = {
  screens: [
    {
      id: "terminal",
      pattern: "/containers/:id/terminal",
      title: "Terminal",
      icon: "terminal",
      parent: "containers",
      view: lazy(() => import("./terminal-screen.tsx").then((module) => module.TerminalScreen)),
    },
  ],
  partKeys: [{ title: "In a terminal", keys: [{ shown: ["Shift", "F6"], what: "Leave the terminal" }] }],
};
