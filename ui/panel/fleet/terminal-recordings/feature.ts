import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** What terminals on nodes have shown. */
export const terminalRecordingsFeature: Feature = {
  screens: [
    {
      id: "terminal-recordings",
      pattern: "/nodes/:id/recordings",
      title: "Recordings",
      icon: "terminal",
      parent: "fleet",
      mayOpen: () => may("fleet:shell", { ownRole: true }),
      view: lazy(() => import("../node-terminals/screens.ts").then((module) => module.Recordings)),
    },
  ],
};
