import type { AppEvents } from "./features/apps/contract.ts";
import type { AuthEvents } from "./features/auth/contract.ts";
import type { OperationEvents } from "./features/operations/contract.ts";
import type { RuntimeEvents } from "./features/runtime/contract.ts";

/** Every event of the node's bus. */
export type NodeEvents = AppEvents & AuthEvents & OperationEvents & RuntimeEvents;
