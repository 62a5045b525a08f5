import { signal } from "@preact/signals";
import { type ComponentChild, type FunctionComponent, h } from "preact";
import { ErrorCard, Skeleton } from "../kit/card.tsx";
import { loadAhead } from "./ahead.ts";
import { isServerThere, markUnreachable, onReconnect, probeNow } from "./connection.ts";

const reloadedKey = "orrery.reloaded";
/** Milliseconds before the second try: connections that a change of the network has cut are back by then. */
const retryMs = 400;

/** A screen, and the way to load it before it is shown. */
export interface LazyScreen<P extends object> {
  (props: P): ComponentChild;
  prefetch: () => void;
}

interface LazyOptions {
  /** False for what few visits need: it is loaded when it is shown and no sooner. */
  ahead?: boolean;
  /** True for what the page does without: nothing is shown in its place. */
  quiet?: boolean;
}

/**
 * A screen that loads with its own file. A file that does not come is asked for once more. When the server is there but the file
 * stays away, a newer build is installed: a screen that is shown reloads the page, at most once a minute, and after that says so
 * and offers it; one that was only loaded ahead waits until it is wanted. When the server is away, the screen says so, and the file
 * is asked for again as soon as the server is back.
 */
export function lazy<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  { ahead = true, quiet = false }: LazyOptions = {},
): LazyScreen<P> {
  const loaded = signal<FunctionComponent<P> | null>(null);
  const state = signal<"loading" | "away" | "missing">("loading");
  let isAsked = false;
  const start = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    try {
      loaded.value = await load().catch(() => later(retryMs).then(load));
    } catch {
      if (await isServerThere()) {
        state.value = "missing";
        return;
      }
      state.value = "away";
      markUnreachable();
      const stop = onReconnect(() => {
        stop();
        isAsked = false;
        state.value = "loading";
        void start();
      });
    }
  };
  const Screen = (props: P): ComponentChild => {
    void start();
    const component = loaded.value;
    if (component !== null) return h(component, props);
    const now = state.value;
    if (quiet) return null;
    if (now === "loading") return h(Skeleton, { rows: 6, tile: true });
    if (now === "missing" && reloadOnce()) return null;
    return h(ErrorCard, now === "away" ? away : missing);
  };
  const prefetch = (): void => void start();
  if (ahead) loadAhead(prefetch);
  return Object.assign(Screen, { prefetch });
}

const away = {
  page: true,
  title: "This page is not here yet",
  why: "The server does not answer, and this browser has not loaded this page before. It opens by itself when the server is back.",
  action: { label: "Try now", run: probeNow },
  code: "page_part_unreachable",
};

const missing = {
  page: true,
  title: "This page did not load",
  why: "The server answers, but a part of the page did not come. A newer version may have been installed.",
  action: { label: "Reload", run: () => location.reload() },
  code: "page_part_missing",
};

const later = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Reloads the page unless that happened within the last minute; tells whether it does. */
function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(reloadedKey) ?? 0);
  if (Date.now() - last < 60_000) return false;
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
  return true;
}
