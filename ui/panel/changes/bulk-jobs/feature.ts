import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

const mayOpen = () => may("fleet:read");

/** One thing done to many nodes. */
export const bulkJobsFeature: Feature = {
  screens: [
    {
      id: "jobs",
      pattern: "/jobs",
      title: "Jobs",
      icon: "layers",
      nav: { key: "j", group: "main", order: 47 },
      mayOpen,
      view: lazy(() => import("./screens.ts").then((module) => module.JobsScreen)),
    },
    {
      id: "job",
      pattern: "/jobs/:id",
      title: "Job",
      icon: "layers",
      parent: "jobs",
      mayOpen,
      view: lazy(() => import("./screens.ts").then((module) => module.JobPage)),
    },
  ],
};
