import type { ITheme } from "@xterm/xterm";

/** The page's colours for a terminal; they are other ones in the light and in the dark. */
export function readColours(host: HTMLElement): ITheme {
  const probe = document.createElement("i");
  host.append(probe);
  const colour = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const eight = {
    black: colour("text"),
    red: colour("crit"),
    green: colour("ok"),
    yellow: colour("warn"),
    blue: colour("info"),
    magenta: colour("acc"),
    cyan: colour("c1"),
    white: colour("text2"),
  };
  const theme: ITheme = {
    ...eight,
    brightBlack: colour("text3"),
    brightRed: eight.red,
    brightGreen: eight.green,
    brightYellow: eight.yellow,
    brightBlue: eight.blue,
    brightMagenta: eight.magenta,
    brightCyan: eight.cyan,
    brightWhite: colour("text"),
    background: colour("s1"),
    foreground: colour("text"),
    cursor: colour("acc"),
    cursorAccent: colour("s1"),
    selectionBackground: colour("acc-soft"),
  };
  probe.remove();
  return theme;
}
