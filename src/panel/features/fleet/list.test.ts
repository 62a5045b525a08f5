import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { type Beat, createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import { naturalKey, versionKey } from "../../../lib/natural-key.ts";
import type { NodeFacts, TenantFleet } from "../../live/index.ts";
import { SORTS } from "./contract.ts";
import { listInstances } from "./list.ts";
import { indexOf } from "./node-index.ts";
import { presentInstance } from "./present.ts";
import { type Filter, STATUSES } from "./scan.ts";

const REGIONS = [null, "eu-central", "us-east", "unknown", ""];
const CLIENTS = [null, "ten_a", "ten_b"];
const GROUPS = [null, "grp_1", "grp_2"];
const VERSIONS = ["1.2.0", "1.10.0", "1.10.0-rc.1"];
const TAGS = ["prod", "Lab", "edge"];

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const figure = fc.option(fc.oneof(fc.integer({ min: 0, max: 4 }), some([89.99, 90, 99.5])), { nil: null });

const facts = fc.record<Partial<NodeFacts>>({
  hostname: fc.stringMatching(/^[a-bA-B][0-9]{0,2}(-[0-9])?$/),
  version: some(VERSIONS),
  region: some(REGIONS),
  zone: some([null, "zone-1"]),
  ip_address: some([null, "10.0.0.9", "10.0.0.10", "9.1.1.1"]),
  ip_addresses: fc.subarray(["10.0.0.9", "fd00::1"]),
  tags: fc.subarray(TAGS),
  client_id: some(CLIENTS),
  client_name: some([null, "Acme", "bolt 9", "Bolt 10"]),
  group_id: some(GROUPS),
  marked_offline: fc.boolean(),
});
const beat = fc.record<Beat>({
  cpu: figure,
  memory: figure,
  disk: figure,
  uptime: fc.nat(9),
  isCritical: fc.boolean(),
});
const NODES = 12;
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), no: fc.nat(NODES), facts }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("beat" as const), no: fc.nat(NODES), beat }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), no: fc.nat(NODES) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: some([1_000, 90_001, 600_001]) }) },
);
const anyFilter = fc.record(
  {
    page: fc.integer({ min: 1, max: 4 }),
    per_page: fc.integer({ min: 1, max: 5 }),
    status: some(STATUSES),
    region: some(["eu-central", "us-east", "unknown", "nowhere"]),
    q: some(["", " ", "a", "B1", "10.0.0.1", "PROD", "zone", "node-3", "node-", "eu-"]),
    groupIds: some([["grp_1"], ["grp_1", "grp_2"], ["grp_none"], []]),
    version: some([...VERSIONS, "1.10"]),
    tenant: some(["ten_a", "none", "ten_none"]),
    ids: fc.subarray(["node-1", "node-2", "node-7", "node-99", "of-others"]),
  },
  { requiredKeys: [] },
);
// Many filters at once leave nothing to sort.
const narrow = fc.subarray(["status", "region", "q", "groupIds", "version", "tenant", "ids"], { maxLength: 1 });
const filter = fc.oneof(
  anyFilter,
  fc.tuple(anyFilter, narrow).map(([{ page = 1, per_page = 5, ...rest }, keys]): Filter => {
    const kept = Object.entries(rest).filter(([key]) => keys.includes(key));
    return { page, per_page, ...Object.fromEntries(kept) };
  }),
);

type Value = string | number | null;

/** Every answer the slow and simple way: all nodes as rows, filtered and sorted whole. */
function oracle(fleet: TenantFleet, wanted: Filter, sort: string) {
  const rows = fleet.nodes().map((node) => ({ node, row: presentInstance(fleet, node) }));
  const scope = rows.filter(({ node, row }) => {
    const q = (wanted.q ?? "").trim();
    const texts = [row.hostname, row.ip_address, row.public_ip, ...row.ip_addresses, ...row.tags];
    const places = [row.region, row.zone, row.cloud_provider];
    const isFound = [...texts, ...places].some((text) => text?.toLowerCase().includes(q.toLowerCase()));
    if (q !== "" && !isFound && row.id !== q) return false;
    if (wanted.groupIds && !wanted.groupIds.includes(node.group_id ?? "-")) return false;
    return wanted.tenant === undefined || (row.msp_client_id ?? "none") === wanted.tenant;
  });
  const found = scope.filter(({ row }) => {
    if (wanted.status && row.status !== wanted.status) return false;
    if (wanted.region && (row.region ?? "unknown") !== wanted.region) return false;
    if (wanted.version && row.version !== wanted.version) return false;
    return !wanted.ids || wanted.ids.includes(row.id);
  });
  const column = sort.replace("-", "");
  const sortValue = ({ row }: (typeof rows)[number]): Value => {
    const values: Record<string, Value> = {
      host: naturalKey(row.hostname),
      ip: row.ip_address && naturalKey(row.ip_address),
      region: row.region && naturalKey(row.region),
      tenant: (row.client_name ?? row.msp_client_id) && naturalKey(row.client_name ?? row.msp_client_id ?? ""),
      cpu: row.cpu_percent,
      mem: row.memory_percent,
      disk: row.disk_percent,
      version: versionKey(row.version),
      uptime: row.uptime_seconds,
      status: STATUSES.indexOf(row.status),
      last_seen: row.last_seen && Date.parse(row.last_seen),
    };
    return values[column] ?? null;
  };
  const sign = sort.startsWith("-") ? -1 : 1;
  found.sort((a, b) => {
    const [first, second] = [sortValue(a), sortValue(b)];
    if ((first === null) !== (second === null)) return first === null ? 1 : -1;
    if (first !== null && second !== null && first !== second) return first < second ? -sign : sign;
    return a.row.id < b.row.id ? -1 : 1;
  });
  const count = (values: string[]) => {
    const counts: Record<string, number> = {};
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  };
  const hasClients = rows.some(({ row }) => row.msp_client_id !== null);
  const [page, per_page] = [wanted.page ?? 1, wanted.per_page ?? 50];
  return {
    items: found.slice((page - 1) * per_page, page * per_page).map(({ row }) => row),
    total: found.length,
    page,
    per_page,
    facets: {
      status: {
        online: 0,
        degraded: 0,
        offline: 0,
        pending: 0,
        ...count(scope.map(({ row }) => row.status)),
      },
      regions: { unknown: 0, ...count(scope.map(({ row }) => row.region ?? "unknown")) },
      versions: count(scope.map(({ row }) => row.version)),
      ...(hasClients ? { clients: count(scope.map(({ row }) => row.msp_client_id ?? "none")) } : {}),
    },
  };
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The order kept for drawing all nodes is the one that a list has. */
function expectOrder(fleet: TenantFleet): void {
  const index = indexOf(fleet);
  const ids = [...index.order("host")].map((position) => index.facts[position]?.id);
  expect(ids).toEqual(listInstances(fleet, { per_page: 200 }).items.map(({ id }) => id));
}

async function play(steps: readonly Step[], filters: readonly Filter[]): Promise<void> {
  const clock = createFakeClock();
  const { fleet, put, remove, beat: send } = createTestFleet(clock);
  for (const [index, one] of steps.entries()) {
    if (one.kind === "wait") await clock.advance(one.ms);
    else if (one.kind === "put") put(one.no, { ...fleet.get(`node-${one.no}`), ...one.facts });
    else if (one.kind === "remove") remove(`node-${one.no}`);
    else send(`node-${one.no}`, one.beat);
    // A list now and then, so that the index has something to bring up to date.
    if (index % 5 === 0) listInstances(fleet, { sort: SORTS[index % SORTS.length] ?? "host" });
    if (index % 7 === 0) expectOrder(fleet);
  }
  expectOrder(fleet);
  for (const wanted of filters) {
    for (const sort of SORTS.flatMap((name) => [name, `-${name}`])) {
      expect(listInstances(fleet, { ...wanted, sort })).toEqual(oracle(fleet, wanted, sort));
    }
  }
}

test("every list is what a slow and simple one gives, for every sort, while the fleet changes", async () => {
  const filters = fc.array(filter, { minLength: 3, maxLength: 3 });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), filters, play), { numRuns: 60 });
});
