import { type LazyScreen, lazy } from "../client/lazy.ts";
import { matchPath } from "../client/router.ts";
import type { IconName } from "../icons/names.ts";

export type NavGroup = "main" | "watch" | "manage";

interface Screen {
  id: string;
  /** Path, with `:name` parts. */
  pattern: string;
  title: string;
  icon: IconName;
  /** The key after `g`, and the place in the menu; screens without are reached from others. */
  nav?: { key: string; group: NavGroup; admin?: boolean };
  view: LazyScreen<{ params: Record<string, string> }>;
}

/** Every screen inside the shell, in menu order. Only what exists is listed. */
export const screens: Screen[] = [
  {
    id: "home",
    pattern: "/",
    title: "Home",
    icon: "home",
    nav: { key: "h", group: "main" },
    view: lazy(() => import("./screens/home/home.tsx").then((module) => module.Home)),
  },
  {
    id: "apps",
    pattern: "/apps",
    title: "Apps",
    icon: "apps",
    nav: { key: "a", group: "main" },
    view: lazy(() => import("./screens/apps.tsx").then((module) => module.Apps)),
  },
  {
    id: "app",
    pattern: "/apps/:id",
    title: "App",
    icon: "box",
    view: lazy(() => import("./screens/app/app.tsx").then((module) => module.AppPage)),
  },
  {
    id: "store",
    pattern: "/store",
    title: "App store",
    icon: "store",
    nav: { key: "s", group: "main" },
    view: lazy(() => import("./screens/store/store.tsx").then((module) => module.Store)),
  },
  {
    id: "metrics",
    pattern: "/metrics",
    title: "Metrics",
    icon: "metrics",
    nav: { key: "m", group: "watch" },
    view: lazy(() => import("./screens/metrics/metrics.tsx").then((module) => module.Metrics)),
  },
  {
    id: "alerts",
    pattern: "/alerts",
    title: "Alerts",
    icon: "bell",
    nav: { key: "b", group: "watch" },
    view: lazy(() => import("./screens/alerts/alerts.tsx").then((module) => module.Alerts)),
  },
  {
    id: "insights",
    pattern: "/insights",
    title: "Insights",
    icon: "wand",
    nav: { key: "p", group: "watch" },
    view: lazy(() => import("./screens/insights/insights.tsx").then((module) => module.Insights)),
  },
  {
    id: "timeline",
    pattern: "/timeline",
    title: "Timeline",
    icon: "clock",
    nav: { key: "i", group: "watch" },
    view: lazy(() => import("./screens/timeline/timeline.tsx").then((module) => module.Timeline)),
  },
  {
    id: "disks",
    pattern: "/disks",
    title: "Disks",
    icon: "disk",
    nav: { key: "d", group: "watch" },
    view: lazy(() => import("./screens/disks/disks.tsx").then((module) => module.Disks)),
  },
  {
    id: "network",
    pattern: "/network",
    title: "Network",
    icon: "network",
    nav: { key: "n", group: "watch" },
    view: lazy(() => import("./screens/network/network.tsx").then((module) => module.Network)),
  },
  {
    id: "cost",
    pattern: "/cost",
    title: "Cost",
    icon: "card",
    nav: { key: "c", group: "watch" },
    view: lazy(() => import("./screens/cost/cost.tsx").then((module) => module.Cost)),
  },
  {
    id: "users",
    pattern: "/users",
    title: "Users",
    icon: "users",
    nav: { key: "u", group: "manage", admin: true },
    view: lazy(() => import("./screens/users/users.tsx").then((module) => module.Users)),
  },
  {
    id: "security",
    pattern: "/security",
    title: "Security",
    icon: "shield",
    nav: { key: "e", group: "manage" },
    view: lazy(() => import("./screens/security/security.tsx").then((module) => module.Security)),
  },
  {
    id: "audit",
    pattern: "/audit",
    title: "Audit log",
    icon: "logs",
    nav: { key: "l", group: "manage", admin: true },
    view: lazy(() => import("./screens/audit/audit.tsx").then((module) => module.Audit)),
  },
  {
    id: "webhooks",
    pattern: "/webhooks",
    title: "Webhooks",
    icon: "plug",
    nav: { key: "w", group: "manage", admin: true },
    view: lazy(() => import("./screens/webhooks/webhooks.tsx").then((module) => module.Webhooks)),
  },
  {
    id: "webhook",
    pattern: "/webhooks/:id",
    title: "Webhook",
    icon: "plug",
    view: lazy(() => import("./screens/webhooks/webhook.tsx").then((module) => module.WebhookPage)),
  },
  {
    id: "profile",
    pattern: "/profile",
    title: "Profile",
    icon: "user",
    view: lazy(() => import("./screens/profile.tsx").then((module) => module.Profile)),
  },
  {
    id: "settings",
    pattern: "/settings",
    title: "Settings",
    icon: "settings",
    nav: { key: "t", group: "manage" },
    view: lazy(() => import("./screens/settings.tsx").then((module) => module.Settings)),
  },
  {
    id: "approve",
    pattern: "/approve/:session",
    title: "Sign in another screen",
    icon: "qr",
    view: lazy(() => import("./screens/approve-scan.tsx").then((module) => module.ApproveScan)),
  },
];

/** The screens of a part of the menu that somebody of this role may open. */
export function menuOf(group: NavGroup, isAdmin: boolean): Screen[] {
  return screens.filter(({ nav }) => nav?.group === group && (nav.admin !== true || isAdmin));
}

/** Starts loading the screen of an address before it is known who is here; the file is needed in nearly every case. */
export function prefetchScreen(at: string): void {
  screens.find((screen) => matchPath(screen.pattern, at) !== null)?.view.prefetch();
}

/** Loads the other screens when the browser has nothing to do, so that a click needs no network, even a broken one. */
export function prefetchAll(): void {
  const load = (): void => {
    for (const screen of screens) screen.view.prefetch();
  };
  if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 10_000 });
  else setTimeout(load, 3000);
}
