/** Wall time moved by `by_seconds` more than time passed: the clock was set, or the machine slept. */
export type MetricsEvents = { "system.clock_jumped": { by_seconds: number } };
