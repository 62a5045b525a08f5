import { look, setLook } from "../client/preferences.ts";
import { navigate } from "../client/router.ts";
import { type Command, CommandPalette } from "../kit/palette.tsx";
import { type CommandSource, commandOrder } from "./feature.ts";
import { menuOf, type Screen } from "./screens.ts";

interface PaletteProps {
  screens: readonly Screen[];
  sources: readonly CommandSource[];
  signOut: () => Promise<void>;
  onClose: () => void;
  onSheet: () => void;
}

/** Everything that can be reached by name: pages, actions, and what features bring. */
export function Palette({ screens, sources, signOut, onClose, onSheet }: PaletteProps) {
  const parts = [
    { order: commandOrder.pages, commands: pageCommands(screens) },
    { order: commandOrder.actions, commands: pageActions(onSheet) },
    { order: commandOrder.signOut, commands: [signOutCommand(signOut)] },
    ...sources.map(({ order, use }) => ({ order, commands: use() })),
  ];
  const commands = parts.sort((a, b) => a.order - b.order).flatMap((part) => part.commands);
  return <CommandPalette commands={commands} onClose={onClose} />;
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
