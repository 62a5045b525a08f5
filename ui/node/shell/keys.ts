import { navigate } from "../../client/router.ts";
import { lockSession } from "../../client/session.ts";
import { screens } from "../screens.ts";

/** Keyboard shortcuts of the page; off inside inputs. Returns the way to stop. */
export function startKeys(layers: { palette: () => void; sheet: () => void }): () => void {
  let goUntil = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      layers.palette();
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
      const screen = screens.find((item) => item.nav?.key === event.key);
      if (screen !== undefined) navigate(screen.pattern);
      return;
    }
    if (event.key === "L") void lockSession();
    else if (event.key === "g") goUntil = event.timeStamp + 1200;
    else if (event.key === "?") layers.sheet();
    else if (event.key === "/") {
      event.preventDefault();
      const search = document.querySelector<HTMLElement>("[data-search]");
      if (search === null) layers.palette();
      else search.focus();
    }
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
