import type { PanelContext } from "../../context.ts";
import { findClient, listClients } from "./store.ts";

/** A client workspace of the one that asks, by id; null for any other. It looks beyond that workspace, but no further. */
export function findOwnClient(
  { system }: Pick<PanelContext, "system">,
  tenantId: string,
  id: string,
): Promise<{ id: string; name: string } | null> {
  return findClient(system, tenantId, id);
}

/** The client workspaces of the one that asks, by name; at most `limit`. */
export function listOwnClients(
  { system }: Pick<PanelContext, "system">,
  tenantId: string,
  limit: number,
): Promise<{ id: string; name: string }[]> {
  return listClients(system, tenantId, limit);
}
