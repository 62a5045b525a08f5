import type { PanelBase } from "../../base.ts";
import type { EventMeaning } from "../../event-meaning.ts";

/** What the audit log needs. */
export interface Needs extends PanelBase {
  /** What every event means, by its name. */
  meanings: ReadonlyMap<string, EventMeaning>;
}
