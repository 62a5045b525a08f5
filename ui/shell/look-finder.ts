import { look, setLook } from "../client/preferences.ts";
import type { Command } from "../kit/palette.tsx";
import { accents, densities, motions } from "../parts/look-words.ts";
import type { Finder } from "./finder.ts";

const group = "Appearance";

/** How the page looks, each choice by its name. */
export const lookFinder: Finder = {
  order: 900,
  list: () => {
    const now = look.value;
    const offers: Command[] = [
      ...accents.map(({ value, label }) => ({
        id: `accent-${value}`,
        title: `Accent ${label.toLowerCase()}`,
        group,
        icon: "palette",
        words: "colour color theme",
        run: () => setLook({ accent: value }),
      })),
      ...motions.map(({ value, label }) => ({
        id: `motion-${value}`,
        title: `Motion ${label.toLowerCase()}`,
        group,
        icon: "star",
        words: "animation stars reduce",
        run: () => setLook({ motion: value }),
      })),
      ...densities.map(({ value, label }) => ({
        id: `density-${value}`,
        title: `${label} rows`,
        group,
        icon: "list",
        words: "density table height",
        run: () => setLook({ density: value }),
      })),
      {
        id: "sounds",
        title: now.sounds ? "Turn sounds off" : "Turn sounds on",
        group,
        icon: "bell",
        words: "mute noise",
        run: () => setLook({ sounds: !now.sounds }),
      },
    ];
    const present = [`accent-${now.accent}`, `motion-${now.motion}`, `density-${now.density}`];
    return offers.filter(({ id }) => !present.includes(id));
  },
};
