import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** Repositories of restic that are looked into. */
export const resticFeature: Feature = {
  screens: [
    {
      id: "restic",
      pattern: "/backups/restic/:id",
      title: "A restic repository",
      icon: "folder",
      parent: "backups",
      mayOpen: isAdmin,
      view: lazy(() => import("../backups/browsers.tsx").then((module) => module.Repository), { ahead: false }),
    },
  ],
};
