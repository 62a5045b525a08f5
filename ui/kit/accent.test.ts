import { expect, test } from "bun:test";
import { deriveRoles, minima, surfaces } from "./accent.ts";
import { contrast, fromOklch, toOklch } from "./oklch.ts";

const themes: ("dark" | "light")[] = ["dark", "light"];
const steps = "0369cf".split("");

test("every role of any custom accent is readable on every surface", () => {
  for (const r of steps)
    for (const g of steps)
      for (const b of steps)
        for (const theme of themes) {
          const roles = deriveRoles(`#${r}${r}${g}${g}${b}${b}`, theme);
          for (const surface of surfaces[theme]) {
            expect(contrast(roles.text, surface)).toBeGreaterThanOrEqual(minima.text[theme]);
            expect(contrast(roles.ring, surface)).toBeGreaterThanOrEqual(minima.ring);
          }
          expect(contrast(roles.text, roles.soft)).toBeGreaterThanOrEqual(minima.text[theme]);
          expect(contrast(roles.fill, roles.on)).toBeGreaterThanOrEqual(minima.on);
        }
});

test("a colour keeps its hue", () => {
  const given = toOklch("#3fa66b");
  const text = toOklch(deriveRoles("#3fa66b", "light").text);
  expect(Math.abs(given.h - text.h)).toBeLessThan(0.06);
});

test("OKLCH survives the way there and back, and impossible chroma is lowered", () => {
  for (const hex of ["#000000", "#ffffff", "#7855df", "#c83184", "#00b3c2"]) expect(fromOklch(toOklch(hex))).toBe(hex);
  expect(fromOklch({ l: 0.5, c: 0.4, h: 2.5 })).toMatch(/^#[0-9a-f]{6}$/);
});

test("contrast follows WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});
