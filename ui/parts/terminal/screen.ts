import { effect } from "@preact/signals";
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import { look } from "../../client/preferences.ts";
import { readColours } from "./colours.ts";
import { allowSpanStyles, underPageRules, whileMarked } from "./page-rules.ts";

allowSpanStyles();

const scrollback = 5000;

/** What a screen is told, and tells. */
export interface ScreenOptions {
  /** For screen readers. */
  label: string;
  onData: (text: string) => void;
  onResize: (size: { cols: number; rows: number }) => void;
  /** Told when the keyboard is to leave the terminal. */
  onLeave: () => void;
}

/** Makes a terminal in `place` that follows its size and the page's colours; the second value takes it away again. */
export function makeScreen(place: HTMLElement, options: ScreenOptions): [terminal: Terminal, dispose: () => void] {
  const { label, onData, onResize, onLeave } = options;
  const terminal = new Terminal({
    documentOverride: underPageRules(document),
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: 13,
    // Programs choose colours without knowing what they stand on.
    minimumContrastRatio: 4.5,
    scrollback,
    theme: readColours(place),
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  whileMarked(document, () => terminal.open(place));
  terminal.textarea?.setAttribute("aria-label", label);
  terminal.onData(onData);
  terminal.onResize(onResize);
  terminal.attachCustomKeyEventHandler((event) => {
    // Keys of the page have no meaning here: Ctrl+K belongs to the shell.
    event.stopPropagation();
    if (event.key !== "F6" || !event.shiftKey) return true;
    event.preventDefault();
    if (event.type === "keydown") onLeave();
    return false;
  });
  let frame = 0;
  const watcher = new ResizeObserver(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => fit.fit());
  });
  watcher.observe(place);
  let isGone = false;
  const stopLook = effect(() => {
    look.value;
    requestAnimationFrame(() => {
      if (!isGone) terminal.options.theme = readColours(place);
    });
  });
  return [
    terminal,
    () => {
      isGone = true;
      stopLook();
      watcher.disconnect();
      cancelAnimationFrame(frame);
      terminal.dispose();
    },
  ];
}
