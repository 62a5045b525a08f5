import { look, setLook } from "../client/preferences.ts";
import { navigate } from "../client/router.ts";
import type { Command } from "../kit/palette.tsx";
import { menuOf, type Screen } from "./screens.ts";

/** Every page of the menu by its name. */
export function pageCommands(screens: readonly Screen[]): Command[] {
  return menuOf(screens).map((screen) => ({
    id: screen.id,
    title: screen.title,
    group: "Page",
    icon: screen.icon,
    keys: `g ${screen.nav.key}`,
    run: () => navigate(screen.pattern),
  }));
}

/** The other theme, and the sheet of keys. */
export function pageActions(onSheet: () => void): Command[] {
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

/** The way out. */
export function signOutCommand(signOut: () => Promise<void>): Command {
  return {
    id: "signout",
    title: "Sign out",
    group: "Account",
    icon: "logout",
    words: "log out leave",
    run: () => void signOut(),
  };
}
