import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { IconName } from "../icons/names.ts";
import { Icon } from "./icon.tsx";

interface PopoverProps {
  /** The button that opens it; gets the ids and the press. */
  trigger: (props: {
    id: string;
    "aria-expanded": boolean;
    "aria-haspopup": "menu" | "dialog";
    onClick: () => void;
  }) => ComponentChildren;
  role: "menu" | "dialog";
  label: string;
  children: (close: () => void) => ComponentChildren;
}

/** How far the page may scroll before an open panel closes. */
const slackPx = 4;

/** A panel in the top layer beside its button. Escape and a press outside close it (native popover). */
export function Popover({ trigger, role, label, children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = (): void => panel.current?.hidePopover();

  // In a layout effect, so that an arrow key pressed right after opening already finds the first item.
  useLayoutEffect(() => {
    const element = panel.current;
    if (!open || element === null) return;
    const button = document.getElementById(id);
    const place = (): void => placeBeside(element, button);
    place();
    const openedAt = scrollY;
    // A scroll that brought the button into view before the press may be reported only now.
    const onScroll = (): void => {
      if (Math.abs(scrollY - openedAt) > slackPx) close();
    };
    addEventListener("resize", place);
    addEventListener("scroll", onScroll, { passive: true });
    element.querySelector<HTMLElement>('[role="menuitem"], button, a, input')?.focus();
    return () => {
      removeEventListener("resize", place);
      removeEventListener("scroll", onScroll);
    };
  }, [open, id]);

  return (
    <>
      {trigger({ id, "aria-expanded": open, "aria-haspopup": role, onClick: () => panel.current?.togglePopover() })}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the role is a menu or a dialog, known at run time. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label. */}
      <div
        ref={panel}
        popover="auto"
        role={role}
        aria-label={label}
        class="menu pop"
        onBeforeToggle={(event) => event.newState === "open" && setOpen(true)}
        onToggle={(event) => {
          const shown = event.newState === "open";
          setOpen(shown);
          if (!shown && panel.current?.contains(document.activeElement)) document.getElementById(id)?.focus();
        }}
        onKeyDown={(event) => role === "menu" && moveFocus(event)}
      >
        {open && children(close)}
      </div>
    </>
  );
}

/** Below its button and inside the window; above it when there is no room below. */
function placeBeside(panel: HTMLElement, button: HTMLElement | null): void {
  if (button === null) return;
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const left = Math.max(8, Math.min(at.right - width, innerWidth - width - 8));
  const below = at.bottom + 6;
  const top = below + height > innerHeight - 8 && at.top - height - 6 > 8 ? at.top - height - 6 : below;
  panel.style.left = `${left}px`;
  panel.style.top = `${top}px`;
}

function moveFocus(event: KeyboardEvent): void {
  const list = event.currentTarget;
  if (!(list instanceof HTMLElement)) return;
  const items = [...list.querySelectorAll<HTMLElement>('[role="menuitem"]:not([disabled])')];
  const { activeElement } = document;
  const index = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1;
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  items.at(next % items.length)?.focus();
}

export interface MenuItem {
  label: string;
  icon?: IconName;
  hint?: string;
  danger?: boolean;
  disabled?: boolean;
  href?: string;
  run?: () => void;
}

/** A list of actions behind a button. */
export function Menu({
  trigger,
  label,
  items,
}: {
  trigger: PopoverProps["trigger"];
  label: string;
  items: MenuItem[];
}) {
  return (
    <Popover trigger={trigger} role="menu" label={label}>
      {(close) =>
        items.map((item) => {
          const content = (
            <>
              {item.icon !== undefined && <Icon name={item.icon} />}
              <span>{item.label}</span>
              {item.hint !== undefined && <kbd class="kbd">{item.hint}</kbd>}
            </>
          );
          if (item.href !== undefined) {
            return (
              <a key={item.label} role="menuitem" href={item.href} onClick={close}>
                {content}
              </a>
            );
          }
          return (
            <button
              key={item.label}
              type="button"
              role="menuitem"
              class={item.danger === true ? "crit" : ""}
              disabled={item.disabled === true}
              onClick={() => {
                close();
                item.run?.();
              }}
            >
              {content}
            </button>
          );
        })
      }
    </Popover>
  );
}
