import { effect } from "@preact/signals";
import { type ComponentChild, render } from "preact";
import { offline, watchServer } from "../client/connection.ts";
import { keepProgram } from "../client/kept.ts";
import { startLook } from "../client/preferences.ts";
import { path, startRouter } from "../client/router.ts";
import { startTooltips } from "../kit/tooltip.ts";
import { prefetchScreen, type Screen } from "./screens.ts";

/** Starts a program's page: its look, its addresses, who is here, and what it draws. */
export function startPage(page: ComponentChild, screens: readonly Screen[], startSession: () => Promise<void>): void {
  startLook();
  startRouter();
  startTooltips();
  watchServer();
  // The one mark that what is shown may be old: the styles dim every page by it.
  effect(() => void document.documentElement.toggleAttribute("data-stale", offline.value !== null));
  keepProgram();
  void startSession();
  prefetchScreen(screens, path.peek());
  const host = document.getElementById("app");
  if (host !== null) render(page, host);
}
