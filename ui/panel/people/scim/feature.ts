import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** Where a directory brings the people of the workspace from. */
export const scimFeature: Feature = {
  screens: [
    {
      id: "directory",
      pattern: "/settings/directory",
      title: "Directory",
      icon: "users",
      view: lazy(() => import("./directory.tsx").then((module) => module.Directory)),
    },
  ],
};
