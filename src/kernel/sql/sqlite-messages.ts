import type { SqlValue } from "./port.ts";

/** What the writing thread is asked. */
export type WriterRequest =
  | { do: "open"; path: string; durability?: "full" | "normal" }
  | { do: "all" | "run"; sql: string; values: readonly SqlValue[] }
  | { do: "script"; sql: string }
  | { do: "close" };

export interface WriterAnswer {
  rows: unknown[];
  changes: number;
}
