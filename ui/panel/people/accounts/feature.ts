import { lazy } from "../../../client/lazy.ts";
import { navigate } from "../../../client/router.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Somebody's own account. */
export const accountsFeature: Feature = {
  screens: [
    {
      id: "profile",
      pattern: "/profile",
      title: "Profile",
      icon: "user",
      view: lazy(() => import("./profile.tsx").then((module) => module.Profile)),
    },
  ],
  commands: {
    order: 250,
    use: () => [{ id: "profile", title: "Profile", group: "Account", icon: "user", run: () => navigate("/profile") }],
  },
};
