import { useEffect, useState } from "preact/hooks";
import { look, setLook } from "../client/preferences.ts";
import { recentsOf, remember } from "../client/recents.ts";
import { navigate } from "../client/router.ts";
import { type Command, CommandPalette } from "../kit/palette.tsx";
import { type CommandSource, commandOrder } from "./feature.ts";
import type { Answer, Finders } from "./finder.ts";
import { menuOf, type Screen } from "./screens.ts";

interface PaletteProps {
  screens: readonly Screen[];
  sources: readonly CommandSource[];
  finders: Finders;
  /** Whose palette it is, in which workspace. */
  person: string;
  signOut: () => Promise<void>;
  onClose: () => void;
  onSheet: () => void;
}

/** Fewer letters fit nearly everything. */
const leastLetters = 2;

/** Everything that can be reached by name: pages, actions, and what features bring. */
export function Palette({ screens, sources, finders, person, signOut, onClose, onSheet }: PaletteProps) {
  const [query, setQuery] = useState("");
  const words = query.trim();
  const all = finders.all.value;
  useEffect(finders.load, []);
  useEffect(() => {
    for (const { open } of all) open?.();
  }, [all]);
  const [answer, setAnswer] = useState(nothing);
  const isWorth = words.length >= leastLetters;
  const Search = isWorth ? finders.search.value : null;
  const { found, later, note, isOver } = Search === null ? nothing : answer;
  const parts = [
    { order: commandOrder.pages, commands: pageCommands(screens) },
    { order: commandOrder.actions, commands: pageActions(onSheet) },
    { order: commandOrder.signOut, commands: [signOutCommand(signOut)] },
    ...sources.map(({ order, use }) => ({ order, commands: use() })),
    ...all.map(({ order, list }) => ({ order: commandOrder.things + order, commands: list?.() ?? [] })),
  ];
  const commands = [
    ...(words === "" ? recentCommands(person) : []),
    ...parts.sort((a, b) => a.order - b.order).flatMap((part) => part.commands),
  ];
  const ways = !isWorth ? [] : all.flatMap((finder) => finder.words?.(words) ?? []);
  return (
    <>
      {Search !== null && <Search finders={all} words={words} onAnswer={setAnswer} />}
      <CommandPalette
        commands={commands}
        more={[...found, ...ways, ...later]}
        busy={!isOver || (Search !== null && answer.words !== words)}
        note={note}
        onRun={({ path, title, group, icon, detail = "" }) =>
          path !== undefined && remember(person, { path, title, detail, icon, group: group.replace(/^Recent, /, "") })
        }
        query={query}
        onQuery={setQuery}
        onClose={onClose}
      />
    </>
  );
}

/** What is shown of it until a server has answered for these words. */
const nothing: Answer = { words: "", found: [], later: [], note: null, isOver: true };

/** What was opened last stands before everything as long as nothing is typed. */
const recentCommands = (person: string): Command[] =>
  recentsOf(person).map((recent) => ({
    ...recent,
    id: `recent-${recent.path}`,
    group: `Recent, ${recent.group}`,
    run: () => navigate(recent.path),
  }));

/** Every page of the menu by its name. */
function pageCommands(screens: readonly Screen[]): Command[] {
  return menuOf(screens).map((screen) => ({
    id: screen.id,
    title: screen.title,
    group: "Page",
    icon: screen.icon,
    keys: `g ${screen.nav.key}`,
    path: screen.pattern,
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
