import { lazy } from "../../../client/lazy.ts";
import { navigate } from "../../../client/router.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** Taking in a new node. */
export const onboardingFeature: Feature = {
  screens: [
    {
      id: "enrol",
      pattern: "/enrol",
      title: "Add node",
      icon: "plus",
      parent: "fleet",
      mayOpen: () => may("fleet:write"),
      view: lazy(() => import("./enrol.tsx").then((module) => module.Enrol)),
    },
  ],
  commands: {
    order: 120,
    use: () =>
      may("fleet:write")
        ? [
            {
              id: "enrol",
              title: "Add node",
              group: "Fleet",
              icon: "plus",
              words: "enrol server connect",
              run: () => navigate("/enrol"),
            },
          ]
        : [],
  },
};
