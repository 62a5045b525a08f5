import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Where the workspace lets its people sign in. */
export const ssoFeature: Feature = {
  screens: [
    {
      id: "sign-on",
      pattern: "/settings/sign-on",
      title: "Single sign-on",
      icon: "key",
      view: lazy(() => import("./sign-on.tsx").then((module) => module.SignOn)),
    },
  ],
};
