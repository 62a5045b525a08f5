import type { EndpointInfo } from "../../../../src/node/storage/objects/contract.ts";
import { useResource } from "../../client/resource.ts";

/** Whether this server keeps the objects itself. */
export const isKeptHere = ({ kept }: Pick<EndpointInfo, "kept">): boolean => kept === "embedded";

/** Who keeps the objects; null until it is known. */
export function useKept(): EndpointInfo["kept"] | null {
  return useResource("GET /api/objects/endpoint").data.value?.kept ?? null;
}
