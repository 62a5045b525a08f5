import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** What somebody has asked for by name and the screen on its way there is to begin with. */
const wished = signal<string | null>(null);
const patienceMs = 8000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks for something that a screen offers, such as its dialog to add a user; a screen that does not come is not waited for long. */
export function wish(what: string): void {
  clearTimeout(timer);
  wished.value = what;
  timer = setTimeout(() => {
    wished.value = null;
  }, patienceMs);
}

/** Does what was asked for, on the screen that offers it. */
export function useWish(what: string, run: () => void): void {
  const now = wished.value;
  useEffect(() => {
    if (now !== what) return;
    wished.value = null;
    run();
  }, [now, what]);
}
