/** The fleet as it is at this moment: every node of every workspace in memory, judged by one function. */
export type { CommandQueue } from "./commands.ts";
export { factsOf } from "./facts.ts";
export { countFailedApps, type FiguresOf, type Health, health, type Reason, type Verdict } from "./health.ts";
export { type LiveTables, liveTables } from "./journal-store.ts";
export { createLiveStore } from "./live.ts";
export type * from "./port.ts";
