import type { NodeBase } from "../../base.ts";
import type { Series } from "../metrics/index.ts";
import type { BaselineBook } from "./book.ts";

/** What baselines need. */
export interface Needs extends NodeBase {
  series: Series;
}

/** That, and what the feature keeps for itself. */
export interface Own extends Needs {
  book: BaselineBook;
}
