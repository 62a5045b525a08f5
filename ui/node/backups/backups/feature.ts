import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** Copies that everything can be brought back from. */
export const backupsFeature: Feature = {
  screens: [
    {
      id: "backups",
      pattern: "/backups",
      title: "Backups",
      icon: "shield-check",
      nav: { key: "b", group: "manage", order: 1 },
      mayOpen: isAdmin,
      view: lazy(() => import("./backups.tsx").then((module) => module.Backups)),
    },
    {
      id: "backup-search",
      pattern: "/backups/search",
      title: "Search in backups",
      icon: "search",
      parent: "backups",
      mayOpen: isAdmin,
      view: lazy(() => import("./browsers.tsx").then((module) => module.BackupSearch), { ahead: false }),
    },
    {
      id: "backup-files",
      pattern: "/backups/:id",
      title: "Files of a backup",
      icon: "folder",
      parent: "backups",
      mayOpen: isAdmin,
      view: lazy(() => import("./browsers.tsx").then((module) => module.BackupFiles), { ahead: false }),
    },
  ],
};
