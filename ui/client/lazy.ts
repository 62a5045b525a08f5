import { signal } from "@preact/signals";
import { type FunctionComponent, h, type VNode } from "preact";

const reloadedKey = "orrery.reloaded";

/** A screen, and the way to load it before it is shown. */
export interface LazyScreen<P extends object> {
  (props: P): VNode<P> | null;
  prefetch: () => void;
}

/**
 * A screen that loads with its own chunk. When the chunk is gone, a newer build is installed: the page reloads, but only once a minute.
 */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): LazyScreen<P> {
  const loaded = signal<FunctionComponent<P> | null>(null);
  let started: Promise<void> | null = null;
  const start = (): void => {
    started ??= load().then(
      (component) => {
        loaded.value = component;
      },
      (error: unknown) => {
        started = null;
        reloadOnce();
        throw error;
      },
    );
  };
  const Screen = (props: P): VNode<P> | null => {
    start();
    const component = loaded.value;
    return component === null ? null : h(component, props);
  };
  return Object.assign(Screen, { prefetch: start });
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
}
