import { lazy } from "../client/lazy.ts";
import type { MenuGroup, Screen } from "../shell/screens.ts";
import { may } from "./client/permissions.ts";

/** The parts of the menu. */
export const groups: MenuGroup[] = [
  { id: "main", label: "Main" },
  { id: "workspace", label: "Workspace", heading: true },
];

/** Every screen inside the shell, in menu order. Only what exists is listed. */
export const screens: Screen[] = [
  {
    id: "overview",
    pattern: "/",
    title: "Overview",
    icon: "home",
    nav: { key: "o", group: "main" },
    view: lazy(() => import("./fleet/fleet-overview/overview.tsx").then((module) => module.Overview)),
  },
  {
    id: "fleet",
    pattern: "/fleet",
    title: "Fleet",
    icon: "server",
    nav: { key: "f", group: "main" },
    mayOpen: () => may("fleet:read"),
    view: lazy(() => import("./fleet/fleet/fleet.tsx").then((module) => module.FleetScreen)),
  },
  {
    id: "heatmap",
    pattern: "/heatmap",
    title: "Heatmap",
    icon: "grid",
    nav: { key: "h", group: "main" },
    mayOpen: () => may("fleet:read"),
    view: lazy(() => import("./fleet/fleet-overview/heatmap/heatmap.tsx").then((module) => module.HeatmapScreen)),
  },
  {
    id: "clusters",
    pattern: "/clusters",
    title: "Clusters",
    icon: "network",
    nav: { key: "c", group: "main" },
    mayOpen: () => may("fleet:read"),
    view: lazy(() => import("./fleet/fleet-overview/clusters/clusters.tsx").then((module) => module.ClustersScreen)),
  },
  {
    id: "cluster",
    pattern: "/clusters/:id",
    title: "Cluster",
    icon: "network",
    parent: "clusters",
    mayOpen: () => may("fleet:read"),
    view: lazy(() => import("./fleet/fleet-overview/clusters/cluster.tsx").then((module) => module.ClusterPage)),
  },
  {
    id: "node",
    pattern: "/nodes/:id",
    title: "Node",
    icon: "server",
    parent: "fleet",
    mayOpen: () => may("fleet:read"),
    view: lazy(() => import("./fleet/fleet/node/node.tsx").then((module) => module.NodePage)),
  },
  {
    id: "enrol",
    pattern: "/enrol",
    title: "Add a node",
    icon: "plus",
    parent: "fleet",
    mayOpen: () => may("fleet:write"),
    view: lazy(() => import("./fleet/onboarding/enrol.tsx").then((module) => module.Enrol)),
  },
  {
    id: "team",
    pattern: "/team",
    title: "Team",
    icon: "users",
    nav: { key: "t", group: "workspace" },
    view: lazy(() => import("./people/team/team.tsx").then((module) => module.Team)),
  },
  {
    id: "audit",
    pattern: "/audit",
    title: "Audit log",
    icon: "file-text",
    nav: { key: "a", group: "workspace" },
    mayOpen: () => may("users:manage"),
    view: lazy(() => import("./platform/audit-log/audit.tsx").then((module) => module.Audit)),
  },
  {
    id: "settings",
    pattern: "/settings",
    title: "Settings",
    icon: "settings",
    nav: { key: "s", group: "workspace" },
    view: lazy(() => import("./people/workspace-settings/settings.tsx").then((module) => module.Settings)),
  },
  {
    id: "profile",
    pattern: "/profile",
    title: "Profile",
    icon: "user",
    view: lazy(() => import("./people/accounts/profile.tsx").then((module) => module.Profile)),
  },
];
