import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The passphrase of the account. */
export const authFinder: Finder = {
  order: 71,
  list: () => [
    placeCommand(
      { title: "Change passphrase", group: "Security", icon: "lock", words: "password" },
      { address: "/security", card: "Passphrase" },
    ),
  ],
};
