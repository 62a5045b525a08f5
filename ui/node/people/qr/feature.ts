import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Signing in another screen by a picture on it. */
export const qrFeature: Feature = {
  screens: [
    {
      id: "approve",
      pattern: "/approve/:session",
      title: "Sign in another screen",
      icon: "qr",
      view: lazy(() => import("./approve-scan.tsx").then((module) => module.ApproveScan)),
    },
  ],
};
