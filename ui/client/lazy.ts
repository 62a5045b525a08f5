import { signal } from "@preact/signals";
import { type ComponentChild, type FunctionComponent, h } from "preact";
import { ErrorCard } from "../kit/card.tsx";
import { markUnreachable, onReconnect } from "./connection.ts";

const reloadedKey = "orrery.reloaded";
/** Milliseconds before the second try: connections that a change of the network has cut are back by then. */
const retryMs = 400;

/** A screen, and the way to load it before it is shown. */
export interface LazyScreen<P extends object> {
  (props: P): ComponentChild;
  prefetch: () => void;
}

/**
 * A screen that loads with its own file. A file that does not come is asked for once more. When the server is there but the file
 * stays away, a newer build is installed: a screen that is shown reloads the page, at most once a minute, and after that says so
 * and offers it; one that was only loaded ahead waits until it is wanted. When the server is away, the file is asked for again as
 * soon as it is back.
 */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): LazyScreen<P> {
  const loaded = signal<FunctionComponent<P> | null>(null);
  const failed = signal(false);
  const state = { isAsked: false };
  const start = async (): Promise<void> => {
    if (state.isAsked) return;
    state.isAsked = true;
    try {
      loaded.value = await load().catch(() => later(retryMs).then(load));
    } catch {
      if (await isServerThere()) {
        failed.value = true;
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
  const Screen = (props: P): ComponentChild => {
    void start();
    const component = loaded.value;
    if (component !== null) return h(component, props);
    if (!failed.value || reloadOnce()) return null;
    return h(ErrorCard, {
      page: true,
      title: "This page did not load",
      why: "The server answers, but a part of the page did not come. A newer version may have been installed.",
      action: { label: "Reload", run: () => location.reload() },
      code: "page_part_missing",
    });
  };
  return Object.assign(Screen, { prefetch: () => void start() });
}

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isServerThere = (): Promise<boolean> =>
  fetch("/", { method: "HEAD", cache: "no-store" }).then(
    () => true,
    () => false,
  );

/** Reloads the page unless that happened within the last minute; tells whether it does. */
function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < 60_000) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return true;
}
