const FACTOR = Number(process.env["PROPERTY_RUNS"] ?? 1);

/** How often a property is tried. The suite draws few cases anew at every run; `PROPERTY_RUNS=20` tries twenty times as many. */
export const runs = (few: number): number => Math.ceil(few * FACTOR);
