import type { SqlDb } from "../../../kernel/sql/port.ts";
import type { PanelBase } from "../../base.ts";
import type { SampleStore } from "../samples/index.ts";

/** What the fleet in memory needs. */
export interface Needs extends PanelBase {
  /** The bare database: figures are written for all workspaces at once. */
  db: SqlDb;
  samples: SampleStore;
}
