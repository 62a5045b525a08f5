import type { PanelEvent } from "../../event-meaning.ts";

export type AfterRestoreEvents = {
  /** The operator put an older database back and had ended what it would let in again. */
  "workspace.put_back": PanelEvent & { ended: readonly string[] };
};
