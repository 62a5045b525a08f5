import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** The account itself. */
export const profileFinder: Finder = {
  order: 77,
  list: () => [
    placeCommand({ title: "Profile", group: "Account", icon: "user", words: "name me" }, { address: "/profile" }),
    placeCommand(
      { title: "Picture", group: "Account", icon: "image", words: "avatar photo profile" },
      { address: "/profile", card: "Picture" },
    ),
  ],
};
