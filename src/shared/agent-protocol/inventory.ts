import { type Static, type TObject, type TSchema, Type as t } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { Nullable } from "../../kernel/http/schema.ts";
import { hours } from "../../lib/duration.ts";
import { isWebAddress } from "./web-address.ts";

const Text = (maxLength: number) => t.String({ minLength: 1, maxLength });
const Count = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Another member of a cluster, as the reporting node sees it. */
export const ClusterPeer = t.Object({
  /** The instance id of a node that has one, or `os:<id>`. */
  key: Text(68),
  id: t.Optional(Nullable(Text(64))),
  host: Text(253),
  /** Of the link to it. */
  status: t.Union([t.Literal("up"), t.Literal("degraded"), t.Literal("down")]),
  role: Text(32),
  wg_ip: t.Optional(Nullable(Text(64))),
  /** Nobody waits for longer than an hour; means of larger ones would be no numbers. */
  rtt_ms: t.Optional(Nullable(t.Number({ minimum: 0, maximum: hours(1) }))),
});
export type ClusterPeer = Static<typeof ClusterPeer>;

/** The cluster a node is in, as that node sees it. */
export const ClusterReport = t.Object({
  id: t.String({ pattern: "^[A-Za-z0-9_.:-]{1,64}$" }),
  /** Not every member knows it. */
  name: t.Optional(Nullable(Text(128))),
  /** What the node itself is there: `leader`, `follower`, `manager`, `worker` or what else the cluster knows. */
  role: Text(32),
  /** The key under which other members tell of this node, where that is not its instance id. */
  key: t.Optional(Nullable(Text(68))),
  /** The node's own address in the cluster's network. */
  ip: t.Optional(Nullable(Text(64))),
  term: t.Optional(Nullable(Count)),
  /** The key of the member that leads. */
  leader: t.Optional(Nullable(Text(68))),
  commit_index: t.Optional(Nullable(Count)),
  peers: t.Array(ClusterPeer, { maxItems: 200 }),
});
export type ClusterReport = Static<typeof ClusterReport>;

type Inventory = Readonly<Record<string, unknown>>;

/** Reads one field; null when the node did not tell it, or in another shape than agreed, which is no reason to refuse it. */
function field<T extends TSchema>(name: string, schema: T): (inventory: Inventory | null) => Static<T> | null {
  // Made when first needed: a node never reads an inventory.
  let check: TypeCheck<T> | null = null;
  return (inventory) => {
    const value = inventory?.[name];
    if (value === undefined) return null;
    check ??= TypeCompiler.Compile(schema);
    return check.Check(value) ? value : null;
  };
}

const signInUrls = field("sign_in_urls", t.Array(Text(2_000), { maxItems: 20 }));

/** What the panel reads of a node's inventory: `inventoryOf.os(inventory)`. A node may tell more. */
export const inventoryOf = {
  os: field("os", Text(128)),
  kernel: field("kernel", Text(128)),
  cpu_model: field("cpu_model", Text(256)),
  cpu_cores: field("cpu_cores", t.Integer({ minimum: 1, maximum: 100_000 })),
  memory_bytes: field("memory_bytes", Count),
  disk_bytes: field("disk_bytes", Count),
  /** ISO 8601, UTC. */
  boot_time: field("boot_time", t.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z$", maxLength: 32 })),
  zone: field("zone", Text(64)),
  cloud_provider: field("cloud_provider", Text(64)),
  ip_address: field("ip_address", Text(64)),
  public_ip: field("public_ip", Text(64)),
  ip_addresses: field("ip_addresses", t.Array(Text(64), { maxItems: 64 })),
  /** Where the node takes people back who signed in on the panel; what is no address of a page is left out. */
  sign_in_urls: (inventory: Inventory | null) => signInUrls(inventory)?.filter(isWebAddress) ?? null,
  cluster: field("cluster", ClusterReport),
  /** Whether the node ends what it gave to staff of the panel when the workspace lets them in no longer. */
  ends_visits: field("ends_visits", t.Boolean()),
} as const;

/** The fields of `value` that `schema` names; it fits the schema. */
function namedBy<T extends TObject>(schema: T, value: Static<T>): Static<T> {
  const named = Object.entries(value).filter(([name]) => name in schema.properties);
  return Object.fromEntries(named) as Static<T>;
}

/** What the panel reads of an inventory and nothing else: whatever else a node tells would take room in memory. */
export function namedOf(inventory: Inventory): Record<string, unknown> {
  const named = Object.entries(inventoryOf).flatMap(([name, read]) => {
    const value = read(inventory);
    return value === null ? [] : [[name, value] as const];
  });
  const cluster = inventoryOf.cluster(inventory);
  return {
    ...Object.fromEntries(named),
    ...(cluster && {
      cluster: {
        ...namedBy(ClusterReport, cluster),
        peers: cluster.peers.map((peer) => namedBy(ClusterPeer, peer)),
      },
    }),
  };
}
