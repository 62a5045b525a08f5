import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** Where the account is signed in. */
export const signInsFinder: Finder = {
  order: 72,
  list: () => [
    placeCommand(
      {
        title: "Where you are signed in",
        group: "Account",
        icon: "monitor",
        words: "sessions devices browsers sign out everywhere",
      },
      { address: "/security", card: "Where you are signed in" },
    ),
  ],
};
