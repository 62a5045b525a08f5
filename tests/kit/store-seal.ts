import { createSeal } from "../../src/kernel/seal.ts";

/** What stores of tests encrypt with. */
export const storeSeal = createSeal(new Uint8Array(32).fill(7));
