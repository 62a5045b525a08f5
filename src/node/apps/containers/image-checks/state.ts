import { createGate } from "../../../../lib/gate.ts";

/** What the checks keep in memory. */
export interface ImageCheckState {
  /** The name that containers were made from, by their id, where the engine's list does not tell. */
  madeFrom: Map<string, string>;
  /** Lets one check at a time ask, so that none counts what another one is about to ask. */
  inTurn: ReturnType<typeof createGate>;
  /** The operation of the check that somebody asked for, while it runs. */
  asked: string | null;
}

export const createImageCheckState = (): ImageCheckState => ({
  madeFrom: new Map(),
  inTurn: createGate(1),
  asked: null,
});
