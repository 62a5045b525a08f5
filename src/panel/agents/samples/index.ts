/** What every node measured: single samples for hours, their spread by the hour for a month and by the day for a year. */
export type * from "./port.ts";
export { createSamples } from "./samples.ts";
