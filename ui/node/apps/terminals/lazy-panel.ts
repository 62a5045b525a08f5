import { lazy } from "../../../client/lazy.ts";

/** The terminals of a container, loaded when somebody opens one. */
export const LazyTerminal = lazy(() => import("./terminal-panel.tsx").then((module) => module.TerminalPanel), {
  ahead: false,
});
