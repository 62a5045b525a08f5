import type { RefusalCause } from "../contract.ts";
import type { Received, Trust } from "./receive.ts";

/** What the thread is asked. */
export interface JudgeQuestion {
  /** The answer as the form carries it. */
  encoded: string;
  trust: Trust;
}

/** What it says: an error keeps none of its own fields on the way. */
export interface JudgeAnswer extends Omit<Received, "refused"> {
  refused: { refusal: RefusalCause; message: string; advice: string } | null;
  /** Of a processor: how busy the machine is with other things is no matter of whoever sent it. */
  took_ms: number;
}
