import { type Finder, placeCommand } from "../../../shell/finder.ts";

const cards: [card: string, words: string][] = [
  ["The next hour", "forecast prediction"],
  ["A usual week", "baseline pattern"],
  ["Out of the usual", "anomaly anomalies"],
  ["Room left", "capacity disk full when days"],
];

/** The parts of the page that looks ahead. */
export const insightsFinder: Finder = {
  order: 37,
  list: () =>
    cards.map(([card, words]) =>
      placeCommand({ title: card, group: "Insights", icon: "wand", words }, { address: "/insights", card }),
    ),
};
