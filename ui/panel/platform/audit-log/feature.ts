import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { may } from "../../client/permissions.ts";

/** Who did what in this workspace. */
export const auditLogFeature: Feature = {
  screens: [
    {
      id: "audit",
      pattern: "/audit",
      title: "Audit log",
      icon: "file-text",
      nav: { key: "a", group: "workspace", order: 20 },
      mayOpen: () => may("users:manage"),
      view: lazy(() => import("./audit.tsx").then((module) => module.Audit)),
    },
  ],
};
