import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** The panel that this node belongs to. */
export const panelLinkFeature: Feature = {
  screens: [
    {
      id: "panel",
      pattern: "/panel",
      title: "Panel",
      icon: "link",
      nav: { key: "f", group: "manage", order: 50 },
      tab: { order: 70 },
      mayOpen: isAdmin,
      view: lazy(() => import("./panel.tsx").then((module) => module.PanelScreen)),
    },
  ],
};
