import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { Components } from "../../host/components/index.ts";
import type { ObjectStore } from "../object-store/index.ts";
import type { Objects } from "../objects/index.ts";
import type { MigrationEvents } from "./contract.ts";

/** What bringing objects over needs. */
export interface Needs extends NodeBase {
  bus: Bus<MigrationEvents & { "components.changed": { busy: boolean } }>;
  components: Pick<Components, "require" | "tellOfStore" | "isBusy">;
  objectStore: ObjectStore;
  objects: Pick<Objects, "holds" | "adoptKey" | "refresh">;
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}
