import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The plan of this server. */
export const plansFinder: Finder = {
  order: 92,
  list: () => [
    placeCommand(
      { title: "Plan of this server", group: "Settings", icon: "card", words: "license upgrade limit" },
      { address: "/settings/plan" },
    ),
  ],
};
