import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** What each release brought. */
export const releaseNotesFinder: Finder = {
  order: 93,
  list: () => [
    placeCommand(
      { title: "What is new", group: "Help", icon: "star", words: "release notes version changes" },
      { address: "/news" },
    ),
  ],
};
