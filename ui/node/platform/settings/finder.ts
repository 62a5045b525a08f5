import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { isAdmin } from "../../client/session.ts";

const cards: [card: string, words: string][] = [["Name of this server", "rename hostname"]];

/** What administrators choose about this server. */
export const settingsFinder: Finder = {
  order: 68,
  list: () =>
    isAdmin()
      ? cards.map(([card, words]) =>
          placeCommand({ title: card, group: "Settings", icon: "settings", words }, { address: "/settings", card }),
        )
      : [],
};
