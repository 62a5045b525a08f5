import type { AppError } from "../../../kernel/http/errors.ts";
import type { List } from "../../../kernel/list.ts";
import type { AccessTable } from "./access-table.ts";
import type { Check } from "./check.ts";
import type { EndpointInfo } from "./contract.ts";
import type { Needs } from "./needs.ts";

/** Says why nobody can make a key now, or a bucket of that name; null where nothing is in the way. */
export type Hold = (asked: { bucket: string | null }) => AppError | null;

/** What the feature needs, and what it keeps for itself. */
export interface Own extends Needs {
  access: AccessTable;
  check: Check;
  holds: List<Hold>;
  /** The port of the S3 protocol. */
  listener: { refresh(): void; info(): EndpointInfo };
}

/** Throws what a hold says. */
export function checkHolds({ holds }: Pick<Own, "holds">, asked: { bucket: string | null }): void {
  for (const hold of holds.all()) {
    const refusal = hold(asked);
    if (refusal !== null) throw refusal;
  }
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}
