import { lazy } from "../../../client/lazy.ts";
import type { Feature } from "../../../shell/feature.ts";

/** What each release brought. */
export const releaseNotesFeature: Feature = {
  screens: [
    {
      id: "news",
      pattern: "/news",
      title: "What is new",
      icon: "star",
      view: lazy(() => import("./news.tsx").then((module) => module.News)),
    },
  ],
  account: { order: 20, title: "What is new", icon: "star", to: "/news" },
};
