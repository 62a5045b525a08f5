import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";
import { NodeCount } from "./node-count.tsx";

/** The nodes of the workspace, as a list and one by one. */
export const fleetFeature: Feature = {
  screens: [
    {
      id: "fleet",
      pattern: "/fleet",
      title: "Fleet",
      icon: "server",
      nav: { key: "f", group: "main", order: 20, onPhones: true, badge: NodeCount },
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./fleet.tsx").then((module) => module.FleetScreen)),
    },
    {
      id: "node",
      pattern: "/nodes/:id",
      title: "Node",
      icon: "server",
      parent: "fleet",
      mayOpen: () => may("fleet:read"),
      view: lazy(() => import("./node/node.tsx").then((module) => module.NodePage)),
    },
  ],
  partKeys: [
    {
      title: "Fleet",
      keys: [
        { shown: ["j"], what: "Next node" },
        { shown: ["k"], what: "Node before" },
        { shown: ["Home"], what: "First node" },
        { shown: ["End"], what: "Last node" },
        { shown: ["x"], what: "Select the node" },
        { shown: ["Enter"], what: "Open the node" },
      ],
    },
    {
      title: "Query of the fleet",
      keys: [
        { shown: ["Tab"], what: "Take the first offer" },
        { shown: ["Backspace"], what: "Take the last filter away" },
      ],
    },
  ],
};
