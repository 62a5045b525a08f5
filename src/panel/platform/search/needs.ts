import type { PanelBase } from "../../base.ts";

/** What searching needs: the places where things are found. */
export type Needs = Pick<PanelBase, "lists">;
