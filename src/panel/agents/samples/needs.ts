import type { SqlDb } from "../../../kernel/sql/port.ts";
import type { PanelBase } from "../../base.ts";

/** What samples need. */
export interface Needs extends Pick<PanelBase, "clock" | "log"> {
  /** A database of its own on SQLite, so that samples wait for nothing and nothing for them. */
  samplesDb: SqlDb;
  /** Samples that may wait; left out, as many as a large fleet sends in a minute. */
  capacity?: number;
}
