import { createCached } from "../../../lib/cached.ts";
import type { Driver } from "../objects/index.ts";
import { createEndpoint } from "./endpoint.ts";
import type { Health } from "./garage-admin.ts";
import { createGarageBuckets } from "./garage-buckets.ts";
import { createCluster } from "./garage-cluster.ts";
import { createGarageKeys } from "./garage-keys.ts";
import type { Http } from "./http.ts";
import type { Needs } from "./needs.ts";
import { createObjectsOverS3 } from "./objects-over-s3.ts";
import type { GaragePlace } from "./places.ts";

/** What keeps a cluster from serving, in words; null while it serves. */
export const problemOf = ({ status, partitions, partitionsQuorum }: Health): string | null =>
  status === "unavailable"
    ? `${partitions - partitionsQuorum} of ${partitions} parts of the cluster have too few servers to read or write. See which of its servers are down.`
    : null;

/** A Garage cluster: buckets and keys through its admin API, objects through S3 with a key of the node's own. */
export function createGarageDriver(needs: Needs, stored: GaragePlace, http: Http): Driver {
  const cluster = createCluster(needs, stored, http);
  const buckets = createGarageBuckets(cluster);
  const keys = createGarageKeys(cluster, needs, http);
  // Who asks while a list is on its way gets the same one: each takes a question for every bucket, or key.
  const bucketList = createCached(needs.clock, 0, buckets.listBuckets);
  const keyList = createCached(needs.clock, 0, keys.listKeys);
  return {
    ...buckets,
    ...createObjectsOverS3(needs, cluster.client, cluster.reach),
    ...keys,
    listBuckets: () => bucketList.get(),
    listKeys: () => keyList.get(),
    endpoint: createEndpoint(stored, needs.clock, async () =>
      problemOf(await cluster.ask({}, () => cluster.admin.health())),
    ),
    refresh() {
      bucketList.clear();
      keyList.clear();
    },
  };
}
