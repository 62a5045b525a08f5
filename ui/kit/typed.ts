import type { RefObject } from "preact";
import { useRef } from "preact/hooks";

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** What is no text of one's own: choices, words to look for, and what only proves who somebody is. */
const noText = [
  ...["button", "checkbox", "color", "hidden", "radio", "range", "search", "submit"].map((type) => `[type=${type}]`),
  ...["current-password", "one-time-code"].map((kind) => `[autocomplete=${kind}]`),
].join();

/** Whether a field is one that people write into. */
function isText(target: EventTarget | null): target is TextField {
  const isField = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isField && !target.matches(noText);
}

/** Knows whether fields inside `place` hold what was typed: another text than before the first key. */
export function useTyped(place: RefObject<HTMLElement | null>) {
  const before = useRef(new WeakMap<TextField, string | null>());
  const note = (target: EventTarget | null, value: (field: TextField) => string | null): void => {
    if (isText(target) && !before.current.has(target)) before.current.set(target, value(target));
  };
  return {
    listeners: {
      onBeforeInput: ({ target }: Event): void => note(target, (field) => field.value),
      // Pickers and arrows of numbers tell nothing beforehand.
      onInput: ({ target }: Event): void => note(target, () => null),
    },
    isTyped: (): boolean =>
      [...(place.current?.querySelectorAll<TextField>("input, textarea") ?? [])].some((field) => {
        const start = before.current.get(field);
        return start !== undefined && start !== field.value && field.value !== "";
      }),
  };
}
