import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Components } from "../../host/components/index.ts";
import type { ObjectStore } from "../object-store/index.ts";
import type { ObjectEvents } from "./contract.ts";

/** What the buckets and keys need. */
export interface Needs extends NodeBase {
  bus: Bus<ObjectEvents & { "components.changed": { busy: boolean } }>;
  components: Pick<Components, "offer" | "require">;
  objectStore: ObjectStore;
}
