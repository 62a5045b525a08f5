import type { PanelBase } from "../../base.ts";

/** What the stream of changes needs. */
export type Needs = Pick<PanelBase, "accessEnds" | "lists" | "clock" | "signal">;
