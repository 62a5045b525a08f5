import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { minima, surfaces } from "./accent.ts";
import { contrast } from "./oklch.ts";

const css = readFileSync(join(import.meta.dirname, "../styles/tokens.css"), "utf8");

/** The value of a token in one theme, read from the style sheet that ships. */
function token(name: string, theme: "dark" | "light", block = css): string {
  const declared = new RegExp(`--${name}:\\s*([^;]+);`).exec(block)?.[1] ?? "";
  const pair = /light-dark\(\s*(#\w+),\s*(#\w+)\s*\)/.exec(declared);
  const value = pair === null ? declared : (pair[theme === "light" ? 1 : 2] ?? "");
  return value === "#fff" ? "#ffffff" : value.trim();
}

for (const theme of ["dark", "light"] as const) {
  test(`text and status colours are readable on every ${theme} surface`, () => {
    const all = ["bg", "s1", "s2", "s3"].map((name) => token(name, theme));
    expect(new Set(all)).toEqual(new Set(surfaces[theme]));
    for (const name of ["text", "text2", "text3", "ok", "warn", "crit", "info"]) {
      for (const surface of all) expect(contrast(token(name, theme), surface)).toBeGreaterThanOrEqual(4.5);
    }
    for (const name of ["ok", "warn", "crit", "info"]) {
      expect(contrast(token(name, theme), token(`${name}-soft`, theme))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token(`${name}-fill`, theme), token(`${name}-on`, theme))).toBeGreaterThanOrEqual(4.5);
    }
  });

  test(`the four accents meet their minima in ${theme}`, () => {
    for (const accent of ["nebula", "plasma", "ion", "quasar"]) {
      const block = new RegExp(`\\[data-accent="${accent}"\\]\\s*\\{([^}]+)\\}`).exec(css)?.[1] ?? "";
      for (const surface of [...surfaces[theme], token("acc-soft", theme, block)]) {
        expect(contrast(token("acc", theme, block), surface)).toBeGreaterThanOrEqual(minima.text[theme] - 0.05);
      }
      for (const surface of surfaces[theme])
        expect(contrast(token("acc-ring", theme, block), surface)).toBeGreaterThanOrEqual(3);
      expect(contrast(token("acc-fill", theme, block), token("acc-on", theme, block))).toBeGreaterThanOrEqual(4.5);
    }
  });
}
