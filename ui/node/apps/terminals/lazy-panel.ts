import { lazy } from "../../../client/lazy.ts";

/** The terminal with all that it draws with; large, so it is loaded when somebody opens one. */
export const LazyTerminal = lazy(() => import("./terminal-panel.tsx").then((module) => module.TerminalPanel), {
  ahead: false,
});
