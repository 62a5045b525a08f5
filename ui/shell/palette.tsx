import { useEffect, useState } from "preact/hooks";
import { look, setLook } from "../client/preferences.ts";
import { navigate } from "../client/router.ts";
import { type Command, CommandPalette } from "../kit/palette.tsx";
import { type CommandSource, commandOrder } from "./feature.ts";
import type { Finder, Finders } from "./finder.ts";
import { menuOf, type Screen } from "./screens.ts";

interface PaletteProps {
  screens: readonly Screen[];
  sources: readonly CommandSource[];
  finders: Finders;
  signOut: () => Promise<void>;
  onClose: () => void;
  onSheet: () => void;
}

/** After the last letter, before the server is asked. */
const pauseMs = 120;
/** Fewer letters fit nearly everything. */
const leastLetters = 2;

/** Everything that can be reached by name: pages, actions, and what features bring. */
export function Palette({ screens, sources, finders, signOut, onClose, onSheet }: PaletteProps) {
  const [query, setQuery] = useState("");
  const words = query.trim();
  const all = finders.all.value;
  useEffect(finders.load, []);
  useEffect(() => {
    for (const { open } of all) open?.();
  }, [all]);
  const { found, busy } = useSearch(all, words);
  const parts = [
    { order: commandOrder.pages, commands: pageCommands(screens) },
    { order: commandOrder.actions, commands: pageActions(onSheet) },
    { order: commandOrder.signOut, commands: [signOutCommand(signOut)] },
    ...sources.map(({ order, use }) => ({ order, commands: use() })),
    ...all.map(({ order, list }) => ({ order: commandOrder.things + order, commands: list?.() ?? [] })),
  ];
  const commands = parts.sort((a, b) => a.order - b.order).flatMap((part) => part.commands);
  const ways = words.length < leastLetters ? [] : all.flatMap((finder) => finder.words?.(words) ?? []);
  return (
    <CommandPalette
      commands={commands}
      more={[...found, ...ways]}
      busy={busy}
      query={query}
      onQuery={setQuery}
      onClose={onClose}
    />
  );
}

/** What the server finds for the words; what it found for those before stays until the new answer is there. */
function useSearch(finders: readonly Finder[], words: string): { found: readonly Command[]; busy: boolean } {
  const [state, setState] = useState<{ words: string; found: readonly Command[] }>({ words: "", found: [] });
  const searches = finders.flatMap(({ search }) => search ?? []);
  const isWorth = words.length >= leastLetters && searches.length > 0;
  useEffect(() => {
    if (!isWorth) return setState({ words, found: [] });
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const answers = await Promise.all(searches.map((search) => search(words, abort.signal).catch(() => [])));
      if (!abort.signal.aborted) setState({ words, found: answers.flat() });
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [words, searches.length]);
  return { found: state.found, busy: isWorth && state.words !== words };
}

/** Every page of the menu by its name. */
function pageCommands(screens: readonly Screen[]): Command[] {
  return menuOf(screens).map((screen) => ({
    id: screen.id,
    title: screen.title,
    group: "Page",
    icon: screen.icon,
    keys: `g ${screen.nav.key}`,
    run: () => navigate(screen.pattern),
  }));
}

/** Commands for the other theme and the sheet of keys. */
function pageActions(onSheet: () => void): Command[] {
  const other = look.value.theme === "dark" ? "light" : "dark";
  return [
    {
      id: "theme",
      title: `Switch to ${other}`,
      group: "Appearance",
      icon: other === "dark" ? "moon" : "sun",
      words: "theme",
      run: () => setLook({ theme: other }),
    },
    { id: "keys", title: "Keyboard shortcuts", group: "Help", icon: "keyboard", keys: "?", run: onSheet },
  ];
}

function signOutCommand(signOut: () => Promise<void>): Command {
  return {
    id: "signout",
    title: "Sign out",
    group: "Account",
    icon: "logout",
    words: "log out leave",
    run: () => void signOut(),
  };
}
