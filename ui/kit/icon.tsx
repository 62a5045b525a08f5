import type { ComponentChildren } from "preact";
import { type IconName, icons } from "../icons/names.ts";
import { hash } from "./hash.ts";

/** A glyph of the sprite. Decorative: what it means is said in words beside it. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={name === "mark" ? `mk ${extra}` : `i ${extra}`} aria-hidden="true">
      <use href={`${SPRITE_URL}#${name}`} />
    </svg>
  );
}

/** True when the sprite has that glyph; names from templates are only known at run time. */
export function isIcon(name: string): name is IconName {
  return Object.hasOwn(icons, name);
}

const hues = ["--c1", "--c3", "--c2", "--c4", "--c5"];

/** The square of an app: its glyph, or whatever else stands for it, on a hue that belongs to its name or category. */
export function Tile({
  icon,
  hue,
  size = "",
  children,
}: {
  icon: string;
  hue: string;
  size?: "" | "sm" | "md" | "lg" | "plain";
  /** Shown in place of the glyph; nothing shows the glyph. */
  children?: ComponentChildren;
}) {
  const colour = hues[hash(hue) % hues.length] ?? "--c1";
  return (
    <span class={`tile ${size}`} style={{ "--h": `var(${colour})` }}>
      {children || <Icon name={isIcon(icon) ? icon : "box"} />}
    </span>
  );
}
