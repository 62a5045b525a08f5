import type { KeyGroup } from "./feature.ts";

/** Keys of every chart over time, for the features that show some. */
export const chartKeys: KeyGroup = {
  title: "Charts",
  keys: [
    { shown: ["←", "→"], what: "Move the crosshair" },
    { shown: ["Shift", "←", "→"], what: "Ten points at once" },
    { shown: ["Home"], what: "First point" },
    { shown: ["End"], what: "Last point" },
    { shown: ["+"], what: "Closer" },
    { shown: ["−"], what: "Further away" },
    { shown: ["Esc"], what: "Take crosshair, then zoom, away" },
  ],
};
