import type { AccessTable } from "./access-table.ts";
import type { Check } from "./check.ts";
import type { EndpointInfo } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** What the feature needs, and what it keeps for itself. */
export interface Own extends Needs {
  access: AccessTable;
  check: Check;
  /** The port of the S3 protocol. */
  listener: { refresh(): void; info(): EndpointInfo };
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}
