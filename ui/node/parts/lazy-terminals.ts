import { lazy } from "../../client/lazy.ts";

/** Terminals with all that they draw with; large, so they are loaded when somebody opens one. */
export const LazyTerminals = lazy(() => import("./terminals.tsx").then((module) => module.Terminals), {
  ahead: false,
});
