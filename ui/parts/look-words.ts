import type { Accent, Density, Motion } from "../client/preferences.ts";

/** The accents, with the words for them. */
export const accents: { value: Accent; label: string }[] = [
  { value: "nebula", label: "Nebula, violet" },
  { value: "plasma", label: "Plasma, magenta" },
  { value: "ion", label: "Ion, cyan" },
  { value: "quasar", label: "Quasar, amber" },
];

/** How much moves by itself, in words. */
export const motions: { value: Motion; label: string }[] = [
  { value: "calm", label: "Calm" },
  { value: "cinematic", label: "Cinematic" },
  { value: "max", label: "Max" },
];
/** How close rows stand, in words. */
export const densities: { value: Density; label: string }[] = [
  { value: "default", label: "Comfortable" },
  { value: "compact", label: "Compact" },
];
