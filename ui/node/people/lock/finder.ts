import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** When the page locks itself. */
export const lockFinder: Finder = {
  order: 76,
  list: () => [
    placeCommand(
      { title: "Lock by itself", group: "Security", icon: "lock", words: "auto-lock idle minutes away" },
      { address: "/security", card: "Lock" },
    ),
  ],
};
