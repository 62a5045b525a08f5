import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** Where the account is signed in. */
export const sessionsFinder: Finder = {
  order: 74,
  list: () => [
    placeCommand(
      {
        title: "Where you are signed in",
        group: "Security",
        icon: "monitor",
        words: "sessions devices browsers sign out everywhere",
      },
      { address: "/security", card: "Where you are signed in" },
    ),
  ],
};
