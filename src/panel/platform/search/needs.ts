import type { PanelBase } from "../../base.ts";

/** What searching needs. */
export type Needs = Pick<PanelBase, "accessEnds" | "lists" | "clock" | "signal">;
