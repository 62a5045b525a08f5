import type { AuthEvents } from "./features/auth/contract.ts";

/** Every event of the node's bus. */
export type NodeEvents = AuthEvents;
