/** What loads everything that is to be there when the server is not. */
const ahead = new Set<() => void>();

/** Has something loaded soon after the first screen, before anybody asks for it. */
export function loadAhead(load: () => void): void {
  ahead.add(load);
}

/** Loads all that the program may show later, so that a click works at once, even while the network is down. */
export function prefetchAll(): void {
  const load = (): void => {
    for (const prefetch of ahead) prefetch();
  };
  if ("requestIdleCallback" in window) requestIdleCallback(load, { timeout: 2000 });
  else setTimeout(load, 500);
}
