import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";
import { resource } from "../../client/resource.ts";
import { Inbox } from "./inbox.tsx";

const refreshInbox = (): void => void resource("GET /api/inbox").refresh();

/** What happened on this server, and the bell for what deserves notice. */
export const timelineFeature: Feature = {
  screens: [
    {
      id: "timeline",
      pattern: "/timeline",
      title: "Timeline",
      icon: "clock",
      nav: { key: "i", group: "watch", order: 40 },
      view: lazy(() => import("./timeline.tsx").then((module) => module.Timeline)),
    },
  ],
  tool: { order: 20, view: Inbox },
  reaction: { onOpen: refreshInbox, on: { "inbox.changed": refreshInbox } },
};
