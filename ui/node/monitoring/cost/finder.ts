import { type Finder, placeCommand } from "../../../shell/finder.ts";

const cards: [card: string, words: string][] = [
  ["Rates", "price electricity power currency money kwh"],
  ["What you can save", "advice recommendations cheaper"],
  ["Dearest apps", "expensive"],
  ["By day", "trend spending"],
];

/** The parts of the cost page. */
export const costFinder: Finder = {
  order: 67,
  list: () =>
    cards.map(([card, words]) =>
      placeCommand({ title: card, group: "Cost", icon: "card", words }, { address: "/cost", card }),
    ),
};
