import { type Finder, placeCommand } from "../../../shell/finder.ts";
import { isAdmin } from "../../client/session.ts";

const cards: [card: string, words: string][] = [["What a panel gets", "fleet connect orrery-panel privacy"]];

/** The panel of this server. */
export const panelLinkFinder: Finder = {
  order: 69,
  list: () =>
    isAdmin()
      ? cards.map(([card, words]) =>
          placeCommand({ title: card, group: "Panel", icon: "link", words }, { address: "/panel", card }),
        )
      : [],
};
