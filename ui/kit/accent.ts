import { contrast, fromOklch, type Oklch, toOklch } from "./oklch.ts";

/** The surfaces of both themes, from darkest to highest; roles must be readable on each. */
export const surfaces = {
  dark: ["#090b13", "#11131d", "#191b26", "#212430"],
  light: ["#f6f7f9", "#ffffff", "#eff0f4", "#ffffff"],
};
/** What every accent has to reach, measured on the worst surface. */
export const minima = { text: { dark: 6, light: 5 }, ring: 3.1, on: 4.6 };

const inks = ["#ffffff", "#0b0d17"];
const maxChroma = 0.19;
type Theme = keyof typeof surfaces;

/** Text, ring, fill, ink on the fill, and soft background of one accent in one theme. */
export interface AccentRoles {
  text: string;
  ring: string;
  fill: string;
  on: string;
  soft: string;
}

/**
 * Derives all roles from one `#RRGGBB`: hue and chroma stay (chroma at most 0.19), the lightness moves as little as
 * needed until each role meets the minima. The caller's colour is never refused.
 */
export function deriveRoles(hex: string, theme: Theme): AccentRoles {
  const given = toOklch(hex);
  const base: Oklch = { ...given, c: Math.min(given.c, maxChroma) };
  const soft = fromOklch(
    theme === "dark" ? { ...base, l: 0.26, c: base.c * 0.34 } : { ...base, l: 0.955, c: base.c * 0.16 },
  );
  const all = surfaces[theme];
  const text = nearest(base, (colour) => worst(colour, [...all, soft]) >= minima.text[theme]);
  const ring = nearest(base, (colour) => worst(colour, all) >= minima.ring);
  const fill = nearest(
    base,
    (colour) => inks.some((ink) => contrast(colour, ink) >= minima.on) && contrast(colour, all[1] ?? hex) >= 3,
  );
  const on = inks.find((ink) => contrast(fill, ink) >= minima.on) ?? "#ffffff";
  return { text, ring, fill, on, soft };
}

/** The custom properties of a custom accent for both themes. */
export function deriveAccent(hex: string): Record<string, string> {
  const dark = deriveRoles(hex, "dark");
  const light = deriveRoles(hex, "light");
  const both = (role: keyof AccentRoles): string => `light-dark(${light[role]}, ${dark[role]})`;
  return {
    acc: both("text"),
    "acc-ring": both("ring"),
    "acc-fill": both("fill"),
    "acc-on": both("on"),
    "acc-soft": both("soft"),
  };
}

function worst(colour: string, against: string[]): number {
  return Math.min(...against.map((surface) => contrast(colour, surface)));
}

/** Walks away from the given lightness in both directions, in steps of 0.5 %, to the first colour that passes. */
function nearest(base: Oklch, passes: (hex: string) => boolean): string {
  for (let step = 0; step <= 200; step += 1) {
    for (const l of [base.l + step / 200, base.l - step / 200]) {
      if (l < 0 || l > 1) continue;
      const colour = fromOklch({ ...base, l });
      if (passes(colour)) return colour;
    }
  }
  throw new Error("no lightness meets the contrast");
}
