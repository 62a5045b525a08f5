import type { NodeBase } from "../../base.ts";
import type { Components } from "../../host/components/index.ts";
import type { Drive } from "../drive/index.ts";

/** What WebDAV needs. */
export interface Needs extends NodeBase {
  components: Pick<Components, "require">;
  drive: Drive;
}

/** Who asks, for the record. */
export interface By {
  user_id: string;
  ip: string;
}

/** A request as the rules need it. */
export interface Asked {
  by: By;
  /** The address, without what says which Drive. */
  path: string;
  headers: Headers;
  request: Request;
  body: AsyncIterable<Uint8Array>;
  /** Whether the caller may still do what the route is for. */
  isStillAllowed(): Promise<boolean>;
}
