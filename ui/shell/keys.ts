import { navigate } from "../client/router.ts";
import type { Key } from "./feature.ts";
import { menuOf, type Screen } from "./screens.ts";

/** What the keys of a page do; `keys` are those that features bring. */
export interface KeyActions {
  screens: readonly Screen[];
  palette: () => void;
  sheet: () => void;
  keys: readonly Key[];
}

/** True on Apple keyboards, where the command key opens the palette. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** Keyboard shortcuts of the page; off inside inputs. Returns the way to stop. */
export function startKeys({ screens, palette, sheet, keys }: KeyActions): () => void {
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
    } else keys.find(({ press }) => press === event.key)?.run();
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
