import { effect } from "@preact/signals";
import { Terminal } from "@xterm/xterm";
import { look } from "../../../client/preferences.ts";
import { readColours } from "../../../parts/terminal/colours.ts";
import { allowSpanStyles, underPageRules, whileMarked } from "../../../parts/terminal/page-rules.ts";
import type { Cast } from "./cast.ts";

allowSpanStyles();

/** A terminal that shows a recording at any of its moments. */
export interface Playback {
  /** Shows how it was so many seconds after the beginning. */
  showAt(seconds: number): void;
  dispose(): void;
}

/** Makes one in `place`. Nothing can be typed into it. */
export function makePlayback(place: HTMLElement, { columns, rows, events }: Cast, label: string): Playback {
  const terminal = new Terminal({
    documentOverride: underPageRules(document),
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: 13,
    ...{ cols: columns, rows, disableStdin: true, minimumContrastRatio: 4.5, scrollback: 0 },
    theme: readColours(place),
  });
  whileMarked(document, () => terminal.open(place));
  terminal.textarea?.setAttribute("aria-label", label);
  let next = 0;
  let shownAt = 0;
  let isGone = false;
  const stopLook = effect(() => {
    look.value;
    requestAnimationFrame(() => {
      if (!isGone) terminal.options.theme = readColours(place);
    });
  });
  return {
    showAt(seconds) {
      if (seconds < shownAt) {
        terminal.reset();
        terminal.resize(columns, rows);
        next = 0;
      }
      shownAt = seconds;
      for (let event = events[next]; event !== undefined && event.at <= seconds; event = events[next]) {
        next += 1;
        if (event.kind === "output") terminal.write(event.data);
        else {
          const [wide = 0, high = 0] = event.data.split("x").map(Number);
          if (wide > 0 && high > 0) terminal.resize(Math.min(wide, 500), Math.min(high, 500));
        }
      }
    },
    dispose() {
      isGone = true;
      stopLook();
      terminal.dispose();
    },
  };
}
