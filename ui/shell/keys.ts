import { navigate } from "../client/router.ts";
import type { Key, KeyGroup } from "./feature.ts";
import { menuOf, type Screen } from "./screens.ts";

/** What the keys of every page open. */
interface Layers {
  palette: () => void;
  sheet: () => void;
}

/** True on Apple keyboards, where the command key opens the palette. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.userAgent);
}

/** The keys of every page of a program: its own, and those that features bring. */
export function pageKeys({ palette, sheet }: Layers, ofFeatures: readonly Key[]): Key[] {
  const focusSearch = (): void => {
    const search = document.querySelector<HTMLElement>("[data-search]");
    if (search === null) palette();
    else search.focus();
  };
  return [
    {
      press: "k",
      command: true,
      shown: [isMac() ? "⌘" : "Ctrl", "K"],
      what: "Search or run a command",
      run: palette,
    },
    { press: "/", shown: ["/"], what: "Search on this page", run: focusSearch },
    ...ofFeatures,
    { press: "?", shown: ["?"], what: "This sheet", run: sheet },
  ];
}

/** How long `g` waits for the key of a page. */
const goMs = 1200;

/** Listens to the keys of every page; off inside inputs. Returns the way to stop. */
export function startKeys(keys: readonly Key[], screens: readonly Screen[]): () => void {
  let goUntil = 0;
  const onKey = (event: KeyboardEvent): void => {
    const isCommand = event.metaKey || event.ctrlKey;
    const key = keys.find(({ press, command }) =>
      command === true ? isCommand && press === event.key.toLowerCase() : !isCommand && press === event.key,
    );
    if (isCommand || event.altKey || isTyping(event.target) || document.querySelector("dialog[open]") !== null) {
      if (key?.command === true) run(event, key);
      return;
    }
    if (event.timeStamp < goUntil) {
      goUntil = 0;
      const screen = menuOf(screens).find((item) => item.nav.key === event.key);
      if (screen !== undefined) navigate(screen.pattern);
      return;
    }
    if (event.key === "g") goUntil = event.timeStamp + goMs;
    else if (key !== undefined) run(event, key);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function run(event: KeyboardEvent, key: Key): void {
  // The letter must not arrive in the field that the key has just opened.
  event.preventDefault();
  key.run();
}

/** Everything on the sheet of keys, in parts: what works everywhere, what opens pages, and what parts of pages have. */
export function sheetOf(keys: readonly Key[], screens: readonly Screen[], parts: readonly KeyGroup[]): KeyGroup[] {
  return [
    { title: "Everywhere", keys: [...keys, { shown: ["Esc"], what: "Close what is on top" }] },
    { title: "Go to", keys: menuOf(screens).map(({ nav, title }) => ({ shown: ["g", nav.key], what: title })) },
    ...parts,
    {
      title: "Lists, menus and tabs",
      keys: [
        { shown: ["↑", "↓"], what: "Choose the next" },
        { shown: ["Enter"], what: "Open or run it" },
      ],
    },
  ];
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}
