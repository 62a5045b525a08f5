import type { Deliverer } from "./deliverer.ts";
import type { Needs } from "./needs.ts";

/** What the webhooks need, and what sends what is due. */
export interface Own extends Needs {
  deliverer: Deliverer;
}
