import { signal } from "@preact/signals";
import { type FunctionComponent, h, type VNode } from "preact";
import { markUnreachable, onReconnect } from "./connection.ts";

const reloadedKey = "orrery.reloaded";

/** A screen, and the way to load it before it is shown. */
export interface LazyScreen<P extends object> {
  (props: P): VNode<P> | null;
  prefetch: () => void;
}

/**
 * A screen that loads with its own file. When the server is there but the file is gone, a newer build is installed: the page reloads, at
 * most once a minute. When the server is away, the file is asked for again as soon as it is back.
 */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): LazyScreen<P> {
  const loaded = signal<FunctionComponent<P> | null>(null);
  const state = { isAsked: false };
  const start = async (): Promise<void> => {
    if (state.isAsked) return;
    state.isAsked = true;
    try {
      loaded.value = await load();
    } catch {
      const isThere = await fetch("/api/auth/lock-info", { cache: "no-store" }).then(
        () => true,
        () => false,
      );
      if (isThere) {
        reloadOnce();
        return;
      }
      state.isAsked = false;
      markUnreachable();
      const stop = onReconnect(() => {
        stop();
        void start();
      });
    }
  };
  const Screen = (props: P): VNode<P> | null => {
    void start();
    const component = loaded.value;
    return component === null ? null : h(component, props);
  };
  return Object.assign(Screen, { prefetch: () => void start() });
}

function reloadOnce(): void {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < 60_000) return;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
}
