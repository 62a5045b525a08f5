import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Listens to the keys of the page while the component is there. They go to the handler of the latest rendering, as soon as that stands in
 * the page: an effect that waits for the painting would give a quick key to what was there before.
 */
export function usePageKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  latest.current = onKey;
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => latest.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}
