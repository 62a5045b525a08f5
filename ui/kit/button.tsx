import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";

type Kind = "default" | "primary" | "ghost" | "danger" | "confirm";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: Kind;
  size?: "sm" | "lg";
  icon?: IconName;
  /** Shows a ring and stops further presses; it keeps the focus, so that nobody at a keyboard loses their place. */
  busy?: boolean;
  wide?: boolean;
  children?: ComponentChildren;
}

const kinds: Record<Kind, string> = {
  default: "",
  primary: "primary",
  ghost: "ghost",
  danger: "danger",
  confirm: "danger solid",
};

/** Keeps a busy button from running its action and from sending its form. */
function ignore(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

/** A button with words. One primary per view. */
export function Button({
  kind = "default",
  size,
  icon,
  busy = false,
  wide = false,
  children,
  class: extra,
  ...rest
}: ButtonProps) {
  const classes = ["btn", kinds[kind], size ?? "", wide ? "wide" : "", String(extra ?? "")].filter(Boolean).join(" ");
  return (
    <button
      type="button"
      {...rest}
      class={classes}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? ignore : rest.onClick}
    >
      {busy ? <span class="spin" aria-hidden="true" /> : icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  icon: IconName;
  /** Its name for screen readers and the tooltip. */
  label: string;
  size?: "sm";
  kind?: Kind;
}

/** A button with only a glyph; its name shows as tooltip. */
export function IconButton({ icon, label, size, kind = "ghost", class: extra, ...rest }: IconButtonProps) {
  const classes = ["btn icon", kinds[kind], size ?? "", String(extra ?? "")].filter(Boolean).join(" ");
  return (
    <button type="button" {...rest} class={classes} aria-label={label} data-tip={label}>
      <Icon name={icon} />
    </button>
  );
}

interface LinkButtonProps {
  href: string;
  kind?: Kind;
  size?: "sm";
  icon?: IconName;
  /** Opens in a tab of its own, for apps. */
  external?: boolean;
  children: ComponentChildren;
}

/** A link that looks like a button. */
export function LinkButton({ href, kind = "default", size, icon, external = false, children }: LinkButtonProps) {
  const away = external ? { target: "_blank", rel: "noopener" } : {};
  return (
    <a href={href} class={["btn", kinds[kind], size ?? ""].filter(Boolean).join(" ")} {...away}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  );
}
