import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { isAdmin } from "../../client/session.ts";

/** Where log lines go besides this server. */
export const logForwardersFeature: Feature = {
  screens: [
    {
      id: "log-forwarders",
      pattern: "/logs/forwarders",
      title: "Log forwarders",
      icon: "terminal",
      parent: "logs",
      mayOpen: isAdmin,
      view: lazy(() => import("./log-forwarders.tsx").then((module) => module.LogForwarders)),
    },
  ],
};
