import { useMemo } from "preact/hooks";
import { useResource } from "../../client/resource.ts";
import { user } from "../../client/session.ts";

/** Names of the workspace's clients by id; one that is no client any more is not among them. */
export function useClientNames(): ReadonlyMap<string, string> {
  const clients = useResource("GET /api/fleet/clients").data.value;
  return useMemo(() => new Map((clients ?? []).map(({ id, name }) => [id, name])), [clients]);
}

/** Whether nodes of this workspace work for clients. */
export function hasClients(): boolean {
  return user.value?.tenant_mode === "msp";
}
