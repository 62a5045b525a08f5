import { navigate } from "../client/router.ts";
import { menuOf, type Screen } from "./screens.ts";

/** What the keys of a page do; `more` are single keys of the program's own. */
export interface KeyActions {
  screens: readonly Screen[];
  palette: () => void;
  sheet: () => void;
  more?: Record<string, () => void>;
}

/** True on Apple keyboards, where the command key opens the palette. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keyboard shortcuts of the page; off inside inputs. Returns the way to stop. */
export function startKeys({ screens, palette, sheet, more = {} }: KeyActions): () => void {
  let goUntil = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      palette();
      return;
    }
    if (
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      isTyping(event.target) ||
      document.querySelector("dialog[open]") !== null
    )
      return;
    if (event.timeStamp < goUntil) {
      goUntil = 0;
      const screen = menuOf(screens).find((item) => item.nav.key === event.key);
      if (screen !== undefined) navigate(screen.pattern);
      return;
    }
    if (event.key === "g") goUntil = event.timeStamp + 1200;
    else if (event.key === "?") sheet();
    else if (event.key === "/") {
      event.preventDefault();
      const search = document.querySelector<HTMLElement>("[data-search]");
      if (search === null) palette();
      else search.focus();
    } else more[event.key]?.();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
