import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { oracle } from "../../../../tests/kit/list-oracle.ts";
import { type Beat, createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import { atOnce } from "../../../lib/sort-in-steps.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import { SORTS } from "./contract.ts";
import { listInstances } from "./list.ts";
import { type Comparison, type Filter, STATUSES } from "./match.ts";
import { createFleetIndexes, type FleetIndexes } from "./node-index.ts";

const REGIONS = [null, "eu-central", "us-east", "unknown", ""];
const CLIENTS = [null, "ten_a", "ten_b"];
const GROUPS = [null, "grp_1", "grp_2"];
const VERSIONS = ["1.2.0", "1.10.0", "1.10.0-rc.1"];
const START = Date.UTC(2026, 0, 1);
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
const several = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 });
const marks = {
  status: several(STATUSES),
  region: several(["eu-central", "us-east", "unknown", "nowhere"]),
  groupIds: some([["grp_1"], ["grp_1", "grp_2"], ["grp_none"], []]),
  version: several([...VERSIONS, "1.10"]),
  tenant: several(["ten_a", "none", "ten_none"]),
  tag: several(["prod", "LAB", "pro"]),
};
const comparison = fc.record<Comparison>({
  column: some(["cpu", "memory", "disk", "uptime_seconds", "apps", "last_seen"]),
  sign: some(["<", "<=", ">", ">="]),
  limit: some([0, 2, 3, 90, START + 1_000]),
});
const anyFilter = fc.record(
  {
    page: fc.integer({ min: 1, max: 4 }),
    per_page: fc.integer({ min: 1, max: 5 }),
    q: some(["", " ", "a", "B1", "10.0.0.1", "PROD", "zone", "node-3", "node-", "eu-"]),
    ids: fc.subarray(["node-1", "node-2", "node-7", "node-99", "of-others"]),
    not: fc.record({ ...marks, q: several(["a", "node-3", "10.0"]) }, { requiredKeys: [] }),
    where: fc.array(comparison, { minLength: 1, maxLength: 2 }),
    ...marks,
  },
  { requiredKeys: [] },
);
// Many filters at once leave nothing to sort.
const narrow = fc.subarray(["status", "region", "q", "groupIds", "version", "tenant", "tag", "not", "where", "ids"], {
  maxLength: 2,
});
const filter = fc.oneof(
  anyFilter,
  fc.tuple(anyFilter, narrow).map(([{ page = 1, per_page = 5, ...rest }, keys]): Filter => {
    const kept = Object.entries(rest).filter(([key]) => keys.includes(key));
    return { page, per_page, ...Object.fromEntries(kept) };
  }),
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The order kept for drawing all nodes is the one that a list has. */
function expectOrder(indexes: FleetIndexes, fleet: TenantFleet): void {
  const index = indexes.indexOf(fleet);
  const ids = [...index.order("host")].map((position) => index.facts[position]?.id);
  expect(ids).toEqual(atOnce(listInstances(indexes, fleet, { per_page: 200 })).items.map(({ id }) => id));
}

async function play(steps: readonly Step[], filters: readonly Filter[]): Promise<void> {
  const clock = createFakeClock();
  const indexes = createFleetIndexes();
  const { fleet, put, remove, beat: send } = createTestFleet(clock);
  for (const [index, one] of steps.entries()) {
    if (one.kind === "wait") await clock.advance(one.ms);
    else if (one.kind === "put") put(one.no, { ...fleet.get(`node-${one.no}`), ...one.facts });
    else if (one.kind === "remove") remove(`node-${one.no}`);
    else send(`node-${one.no}`, one.beat);
    // A list now and then, so that the index has something to bring up to date.
    if (index % 5 === 0) atOnce(listInstances(indexes, fleet, { sort: SORTS[index % SORTS.length] ?? "host" }));
    if (index % 7 === 0) expectOrder(indexes, fleet);
  }
  expectOrder(indexes, fleet);
  for (const wanted of filters) {
    for (const sort of SORTS.flatMap((name) => [name, `-${name}`])) {
      expect(atOnce(listInstances(indexes, fleet, { ...wanted, sort }))).toEqual(oracle(fleet, wanted, sort));
    }
  }
}

test("every list is what a slow and simple one gives, for every sort, while the fleet changes", async () => {
  const filters = fc.array(filter, { minLength: 3, maxLength: 3 });
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), filters, play), { numRuns: 60 });
});
