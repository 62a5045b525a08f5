import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { user } from "../../client/session.ts";

/** Every workspace of the panel, for its staff. */
export const staffFeature: Feature = {
  screens: [
    {
      id: "staff",
      pattern: "/staff",
      title: "All workspaces",
      icon: "layers",
      nav: { key: "w", group: "workspace", order: 90 },
      mayOpen: () => user.value?.global_role === "admin",
      view: lazy(() => import("./staff.tsx").then((module) => module.Staff)),
    },
  ],
};
