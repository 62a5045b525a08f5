import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** Who did what on this server. */
export const auditFeature: Feature = {
  screens: [
    {
      id: "audit",
      pattern: "/audit",
      title: "Audit log",
      icon: "logs",
      nav: { key: "l", group: "manage", order: 30 },
      tab: { order: 50 },
      mayOpen: isAdmin,
      view: lazy(() => import("./audit.tsx").then((module) => module.Audit)),
    },
  ],
};
