import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";

const lists = [
  "GET /api/containers",
  "GET /api/containers/images",
  "GET /api/containers/volumes",
  "GET /api/containers/networks",
] as const;

/** Everything on the engine, whoever made it. */
export const containersFeature: Feature = {
  screens: [
    {
      id: "containers",
      pattern: "/containers",
      title: "Containers",
      icon: "box",
      nav: { key: "o", group: "main", order: 40 },
      view: lazy(() => import("./containers.tsx").then((module) => module.Containers)),
    },
  ],
  reaction: {
    on: {
      "containers.changed": () => {
        for (const route of lists) {
          const list = resource(route);
          if (list.data.peek() !== null) void list.refresh();
        }
      },
    },
  },
};
