declare const ORRERY_VERSION: string | undefined;

/** Version of this build; the compiled program carries it, a checkout calls itself `0.0.0-dev`. */
export const VERSION: string = typeof ORRERY_VERSION === "string" ? ORRERY_VERSION : "0.0.0-dev";
