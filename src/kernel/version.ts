declare const ORRERY_VERSION: string | undefined;
declare const ORRERY_TARGET: string | undefined;

/** Version of this build; the compiled program carries it, a checkout calls itself `0.0.0-dev`. */
export const VERSION: string = typeof ORRERY_VERSION === "string" ? ORRERY_VERSION : "0.0.0-dev";

/** What this build was compiled for, such as `linux-x64-baseline`; null in a checkout. */
export const TARGET: string | null = typeof ORRERY_TARGET === "string" ? ORRERY_TARGET : null;
