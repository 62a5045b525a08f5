import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Identity } from "../identity/index.ts";
import type { WebhookEvents } from "./contract.ts";

/** What the webhooks need. */
export interface Needs extends NodeBase {
  bus: Bus<WebhookEvents>;
  identity: Pick<Identity, "id">;
}
