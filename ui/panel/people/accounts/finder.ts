import { type Finder, placeCommand } from "../../../shell/finder.ts";

/** Somebody's own account. */
export const accountsFinder: Finder = {
  order: 70,
  list: () => [
    placeCommand(
      { title: "Change passphrase", group: "Account", icon: "lock", words: "password" },
      { address: "/profile", card: "Passphrase" },
    ),
    placeCommand(
      { title: "Your email address", group: "Account", icon: "mail", words: "mail change confirm" },
      { address: "/profile", card: "Email" },
    ),
    placeCommand(
      { title: "Language of letters", group: "Account", icon: "mail", words: "mail german french spanish deutsch" },
      { address: "/profile", card: "Language of letters" },
    ),
    placeCommand(
      { title: "Your name", group: "Account", icon: "user", words: "profile display" },
      { address: "/profile", card: "You" },
    ),
  ],
};
