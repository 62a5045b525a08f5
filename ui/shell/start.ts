import { type ComponentChild, render } from "preact";
import { startLook } from "../client/preferences.ts";
import { path, startRouter } from "../client/router.ts";
import { startTooltips } from "../kit/tooltip.ts";
import { prefetchScreen, type Screen } from "./screens.ts";

/** Starts a program's page: its look, its addresses, who is here, and what it draws. */
export function startPage(page: ComponentChild, screens: readonly Screen[], startSession: () => Promise<void>): void {
  startLook();
  startRouter();
  startTooltips();
  void startSession();
  prefetchScreen(screens, path.peek());
  const host = document.getElementById("app");
  if (host !== null) render(page, host);
}
