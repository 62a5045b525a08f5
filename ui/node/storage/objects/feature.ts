import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Buckets for programs that speak S3. */
export const objectsFeature: Feature = {
  screens: [
    {
      id: "objects",
      pattern: "/objects",
      title: "Object storage",
      icon: "database",
      nav: { key: "v", group: "main", order: 50 },
      view: lazy(() => import("./objects.tsx").then((module) => module.Objects)),
    },
  ],
};
