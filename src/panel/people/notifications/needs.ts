import type { PanelBase } from "../../base.ts";
import type { SystemDb } from "../../data/tenant-db.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { NotificationChanges } from "./changes.ts";

/** What notifications need. */
export interface Needs extends PanelBase {
  /** Letters go out, and old notifications away, for all workspaces together. */
  system: SystemDb;
  mail: Pick<Mailing, "missing" | "queue">;
  tenants: Pick<Tenants, "findReader">;
}

/** With what they make for themselves. */
export interface Own extends Needs {
  changes: Pick<NotificationChanges, "changed">;
}
