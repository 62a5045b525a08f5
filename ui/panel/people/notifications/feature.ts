import { lazy } from "../../../client/lazy.ts";
import { navigate } from "../../../client/router.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What somebody should know of in this workspace, and how they hear of it. */
export const notificationsFeature: Feature = {
  screens: [
    {
      id: "notifications",
      pattern: "/profile/notifications",
      title: "Notifications",
      icon: "bell",
      parent: "profile",
      view: lazy(() => import("./preferences.tsx").then((module) => module.NotificationPreferences)),
    },
  ],
  tool: { order: 20, view: lazy(() => import("./inbox.tsx").then((module) => module.Inbox), { quiet: true }) },
  account: { order: 20, title: "Notifications", icon: "bell", to: "/profile/notifications" },
  commands: {
    order: 255,
    use: () => [
      {
        id: "notifications",
        title: "Choose what you are told of",
        group: "Account",
        icon: "bell",
        run: () => navigate("/profile/notifications"),
      },
    ],
  },
};
