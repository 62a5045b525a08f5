import type { PanelBase, PanelBus } from "../../base.ts";
import type { Mailing } from "../../platform/mail/index.ts";
import type { Tenants } from "../tenants/index.ts";
import type { DeviceEvents } from "./contract.ts";

/** What devices need. */
export interface Needs extends PanelBase {
  bus: PanelBus<DeviceEvents>;
  tenants: Pick<Tenants, "findAccount" | "findAccountById" | "findReader" | "lockAccount">;
  mail: Pick<Mailing, "missing" | "queue">;
}
