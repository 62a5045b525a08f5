import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { startAccountLook } from "./account-look.ts";

/** Somebody's own account, and its look on every device. */
export const profileFeature: Feature = {
  screens: [
    {
      id: "profile",
      pattern: "/profile",
      title: "Profile",
      icon: "user",
      tab: { order: 20 },
      view: lazy(() => import("./profile.tsx").then((module) => module.Profile)),
    },
  ],
  duty: startAccountLook,
};
