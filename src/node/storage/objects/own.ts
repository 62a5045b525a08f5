import type { AppError } from "../../../kernel/http/errors.ts";
import type { List } from "../../../kernel/list.ts";
import type { AccessTable } from "./access-table.ts";
import type { Check } from "./check.ts";
import { DRIVE_BUCKET, type EndpointInfo, fail } from "./contract.ts";
import type { Driver } from "./driver.ts";
import type { Needs } from "./needs.ts";

/** Says why nobody can make a key now, or a bucket of that name; null where nothing is in the way. */
export type Hold = (asked: { bucket: string | null }) => AppError | null;

/** What the store of this server is answered with. */
export interface Local extends Needs {
  access: AccessTable;
  holds: List<Hold>;
  /** The port of the S3 protocol. */
  listener: { refresh(): void; info(): EndpointInfo };
}

/** What the feature needs, and what it keeps for itself. */
export interface Own extends Needs {
  check: Check;
  /** Where buckets and keys are now. */
  driver(): Promise<Driver>;
}

/** Throws `objstore_bucket_reserved` for the Drive's bucket, wherever objects are kept. */
export function requireOpen(name: string): void {
  if (name === DRIVE_BUCKET) throw fail("objstore_bucket_reserved", { bucket: name });
}

/** Throws what a hold says. */
export function checkHolds({ holds }: Pick<Local, "holds">, asked: { bucket: string | null }): void {
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
