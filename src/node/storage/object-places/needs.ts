import type { Bus } from "../../../kernel/bus.ts";
import type { NodeBase } from "../../base.ts";
import type { ObjectStore } from "../object-store/index.ts";
import type { Objects } from "../objects/index.ts";
import type { PlaceEvents } from "./contract.ts";

/** What keeping objects elsewhere needs. */
export interface Needs extends NodeBase {
  bus: Bus<PlaceEvents>;
  objectStore: Pick<ObjectStore, "listBuckets">;
  objects: Pick<Objects, "elsewhere" | "holds">;
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}
