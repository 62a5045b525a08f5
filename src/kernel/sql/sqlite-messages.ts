import type { SqlValue } from "./port.ts";

/** What the writing thread is asked; every question gets one answer with its number. */
export type WriterRequest = { id: number } & (
  | { do: "open"; path: string; durability: "full" | "normal" }
  | { do: "all" | "run"; sql: string; values: readonly SqlValue[] }
  | { do: "script"; sql: string }
  | { do: "close" }
);

export type WriterAnswer = { id: number } & ({ rows: unknown[]; changes: number } | { error: string });
