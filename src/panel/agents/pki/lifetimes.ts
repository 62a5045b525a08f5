import { days, minutes } from "../../../lib/duration.ts";

export const ROOT_LIFETIME_MS = days(3_650);
export const INTERMEDIATE_LIFETIME_MS = days(730);
/** The contract's 90 days; the server's own certificate lives as long. */
export const LEAF_LIFETIME_MS = days(90);
/** The panel alone checks client certificates, so a little slack for its own clock is enough. */
export const CLIENT_BACKDATE_MS = minutes(5);
/** Nodes check these by clocks that may be hours behind. */
export const TRUSTED_BACKDATE_MS = days(1);
/** The server's certificate is made anew when less than this is left. */
export const SERVER_RENEWAL_MS = days(30);
