import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** The page that a visit begins with. */
export const dashboardsFeature: Feature = {
  screens: [
    {
      id: "home",
      pattern: "/",
      title: "Home",
      icon: "home",
      nav: { key: "h", group: "main", order: 10, onPhones: true },
      view: lazy(() => import("./home.tsx").then((module) => module.Home)),
    },
  ],
  partKeys: [
    {
      title: "Home",
      keys: [
        { shown: ["e"], what: "Arrange the cards" },
        { shown: ["←", "→", "↑", "↓"], what: "Move the card" },
        { shown: ["Shift", "←", "→", "↑", "↓"], what: "Resize the card" },
        { shown: ["Ctrl", "Z"], what: "Take the last step back" },
        { shown: ["Esc"], what: "Leave the cards as they were" },
      ],
    },
  ],
};
