/** What every node measured: single samples for hours, their spread by the hour for a month and by the day for a year. */
import { defineFeature, type Part } from "../../../kernel/feature.ts";
import type { Needs } from "./needs.ts";
import type { SampleStore } from "./port.ts";
import { createSampleStore } from "./samples.ts";

export type * from "./port.ts";

export const samplesFeature = defineFeature({ name: "samples" });

/** Begins to write, roll up and forget by the clock, and ends with everything written. */
export interface Samples extends SampleStore, Part {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const createSamples = (needs: Needs): Samples => ({ feature: samplesFeature, ...createSampleStore(needs) });
