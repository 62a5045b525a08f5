import { effect, signal } from "@preact/signals";
import { deriveAccent } from "../kit/accent.ts";
import { isRecord } from "./problem.ts";

export type Accent = "nebula" | "plasma" | "ion" | "quasar" | "custom";
export type Theme = "dark" | "light";
export type Motion = "calm" | "cinematic" | "max";
export type Density = "default" | "compact";

/** How the dashboard looks, on this device. */
export interface Look {
  theme: Theme;
  accent: Accent;
  /** `#RRGGBB`, used when accent is custom. */
  custom: string;
  motion: Motion;
  sounds: boolean;
  /** Rows of 36 or 28 px; kept on this device, as it depends on its screen. */
  density: Density;
}

const key = "orrery.look";
const accents: Accent[] = ["nebula", "plasma", "ion", "quasar", "custom"];

export const look = signal<Look>(readLook());

/** Changes some of the look; the page follows at once. */
export function setLook(change: Partial<Look>): void {
  look.value = { ...look.peek(), ...change };
}

/** Applies the look to the page now and on each change, and keeps it for the next visit. */
export function startLook(): void {
  effect(() => {
    const now = look.value;
    const root = document.documentElement;
    root.dataset["theme"] = now.theme;
    root.dataset["accent"] = now.accent;
    root.dataset["motion"] = now.motion;
    root.dataset["density"] = now.density;
    const roles = now.accent === "custom" ? deriveAccent(now.custom) : null;
    for (const name of ["acc", "acc-ring", "acc-fill", "acc-on", "acc-soft"]) {
      const value = roles?.[name];
      if (value === undefined) root.style.removeProperty(`--${name}`);
      else root.style.setProperty(`--${name}`, value);
    }
    store(key, JSON.stringify(now));
  });
}

function readLook(): Look {
  const saved = recall(key);
  const theme = saved["theme"] === "light" ? "light" : "dark";
  const accent = accents.find((name) => name === saved["accent"]) ?? "nebula";
  const custom =
    typeof saved["custom"] === "string" && /^#[0-9a-f]{6}$/i.test(saved["custom"]) ? saved["custom"] : "#3fa66b";
  const motion = saved["motion"] === "calm" ? "calm" : saved["motion"] === "max" ? "max" : "cinematic";
  const density = saved["density"] === "compact" ? "compact" : "default";
  return { theme, accent, custom, motion, sounds: saved["sounds"] === true, density };
}

/** Reads a small JSON object kept on this device; an empty one when there is none or storage is off. */
export function recall(name: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** Keeps a text on this device; does nothing where storage is off (private windows). */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    return;
  }
}
