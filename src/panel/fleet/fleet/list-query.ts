import type { TenantFleet } from "../../agents/live/index.ts";
import type { TenantDb } from "../../data/tenant-db.ts";
import { fail, IDS_MAX, type InstancePage, type InstancesQuery } from "./contract.ts";
import { listInstances, prepareList } from "./list.ts";
import type { FleetIndexes } from "./node-index.ts";
import { findGroupIds } from "./store.ts";

/** A page of the workspace's nodes. Throws `too_many_ids`. */
export async function queryInstances(
  indexes: FleetIndexes,
  db: TenantDb,
  fleet: TenantFleet,
  query: InstancesQuery,
): Promise<InstancePage> {
  const { ids, group, ...rest } = query;
  const wanted = ids?.flatMap((list) => list.split(",")).filter((id) => id !== "");
  if (wanted && wanted.length > IDS_MAX) throw fail("too_many_ids", { count: wanted.length, limit: IDS_MAX });
  const groupIds = group === undefined ? undefined : await findGroupIds(db, group);
  await prepareList(indexes, fleet, rest.sort);
  const filter = { ...rest, ...(wanted ? { ids: wanted } : {}), ...(groupIds ? { groupIds } : {}) };
  return listInstances(indexes, fleet, filter);
}
