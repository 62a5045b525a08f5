import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";

/** Optional parts of the system. */
export const componentsFeature: Feature = {
  screens: [
    {
      id: "components",
      pattern: "/components",
      title: "Components",
      icon: "puzzle",
      nav: { key: "x", group: "manage", order: 5 },
      view: lazy(() => import("./components.tsx").then((module) => module.Components)),
    },
  ],
  reaction: {
    on: {
      "components.changed": () => {
        const list = resource("GET /api/components");
        if (list.data.peek() !== null) void list.refresh();
      },
    },
  },
};
