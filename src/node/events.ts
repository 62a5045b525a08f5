import type { AuthEvents } from "./features/auth/contract.ts";
import type { OperationEvents } from "./features/operations/contract.ts";
import type { RuntimeEvents } from "./features/runtime/contract.ts";

/** Every event of the node's bus. */
export type NodeEvents = AuthEvents & OperationEvents & RuntimeEvents;
