import type { PanelBase } from "../../base.ts";

/** What reading the audit log needs: the names of what it tells of, and since when it tells. */
export type Needs = Pick<PanelBase, "lists" | "clock" | "config">;
