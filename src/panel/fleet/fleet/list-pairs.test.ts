import { expect, test } from "bun:test";
import fc from "fast-check";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { oracle } from "../../../../tests/kit/list-oracle.ts";
import { nodeFacts } from "../../../../tests/kit/node-facts.ts";
import { createTestPanel } from "../../../../tests/kit/panel-app.ts";
import { runs } from "../../../../tests/kit/runs.ts";
import { panelDatabases } from "../../../../tests/kit/sql-databases.ts";
import { beatBody, createTestFleet } from "../../../../tests/kit/test-fleet.ts";
import { atOnce } from "../../../lib/sort-in-steps.ts";
import type { NodeFacts, TenantFleet } from "../../agents/live/index.ts";
import { InstancesQuery, SORTS } from "./contract.ts";
import { listInstances } from "./list.ts";
import type { Filter } from "./match.ts";
import { createFleetIndexes } from "./node-index.ts";

const databases = panelDatabases("sqlite");
const COUNT = 36;
const DIRECTIONS = SORTS.flatMap((name) => [name, `-${name}`]);

/** Different in every column, with gaps in each of them; what it is made of repeats at different lengths. */
const factsOf = (no: number): Partial<NodeFacts> => ({
  hostname: `${["web", "db", "Web"][no % 3]}-${no % 11}`,
  version: ["1.2.0", "1.10.0", "1.10.0-rc.1"][no % 3] ?? "",
  region: [null, "eu-central", "us-east", "unknown", "eu-central"][no % 5] ?? null,
  ip_address: no % 4 === 0 ? null : `10.0.0.${no}`,
  tags: no % 2 === 0 ? ["prod"] : ["Lab", "edge"],
  client_id: [null, "ten_a", "ten_b", null][no % 4] ?? null,
  client_name: [null, "Acme", "bolt 9", null][no % 4] ?? null,
  group_id: [null, "grp_1", "grp_2"][Math.floor(no / 2) % 3] ?? null,
  marked_offline: no % 7 === 3,
});
const figuresOf = (no: number) => ({ cpu: (no * 13) % 101, memory: no % 3 === 0 ? null : (no * 7) % 89, disk: no % 5 });
const isHeard = (no: number) => no % 6 !== 5;

/** Values of every documented filter; two that meet leave some nodes and not all for at least one choice of values. */
const VALUES = {
  status: [["online"], ["degraded", "offline"], ["offline", "pending"]],
  region: [["eu-central"], ["unknown", "us-east"]],
  q: ["web", "PROD", "10.0.0.1"],
  groupIds: [["grp_1"], ["grp_1", "grp_2"]],
  version: [["1.10.0"], ["1.2.0", "1.10.0-rc.1"]],
  tenant: [["ten_a"], ["none", "ten_b"]],
  tag: [["PROD"], ["lab", "edge"]],
  not: [
    { status: ["online"], tag: ["edge"] },
    { region: ["eu-central"], q: ["web-1"] },
    { version: ["1.2.0"] },
    { tenant: ["none"] },
  ],
  where: [[{ column: "cpu", sign: ">", limit: 30 }], [{ column: "disk", sign: "<=", limit: 3 }]],
  ids: [Array.from({ length: COUNT / 2 }, (_, index) => `node-${index * 2}`), ["node-1", "node-3", "of-others"]],
} as const satisfies { [Name in keyof Filter]: readonly Filter[Name][] };
type Name = keyof typeof VALUES;
const NAMES = [
  "status",
  "region",
  "q",
  "groupIds",
  "version",
  "tenant",
  "tag",
  "not",
  "where",
  "ids",
] as const satisfies readonly Name[];

/** Every choice of values for two filters, or for one when both are the same. */
function* pairs(): Generator<[what: string, filter: Filter]> {
  for (const [index, first] of NAMES.entries())
    for (const second of NAMES.slice(index))
      for (const a of VALUES[first]) {
        if (first === second) yield [first, { [first]: a }];
        else for (const b of VALUES[second]) yield [`${first} and ${second}`, { [first]: a, [second]: b }];
      }
}

test("every filter, and every two of them, give what a slow and simple list gives, for every sort and page", async () => {
  const documented = Object.keys(InstancesQuery.properties).map((name) => (name === "group" ? "groupIds" : name));
  expect([...NAMES, "page", "per_page", "sort"].toSorted()).toEqual(documented.toSorted());
  const clock = createFakeClock();
  const { fleet, put, beat } = createTestFleet(clock);
  for (let no = 0; no < COUNT; no++) put(no, factsOf(no));
  for (let no = 0; no < COUNT; no++) if (isHeard(no)) beat(`node-${no}`, figuresOf(no));
  const indexes = createFleetIndexes();
  const telling = new Set<string>();
  let page = 0;
  for (const [what, filter] of pairs()) {
    for (const sort of DIRECTIONS) {
      // Pages in turn, the last of them beyond the end now and then.
      const wanted = { ...filter, page: 1 + (page++ % 3), per_page: 4 };
      const given = atOnce(listInstances(indexes, fleet, { ...wanted, sort }));
      expect({ what, sort, ...given }).toEqual({ what, sort, ...oracle(fleet, wanted, sort) });
      if (given.total > 0 && given.total < COUNT) telling.add(what);
    }
  }
  expect(telling.size).toBe((NAMES.length * (NAMES.length + 1)) / 2);
});

test("the route reads every two filters, sort and page from its query", async () => {
  const panel = await createTestPanel(await databases.open());
  const ada = await panel.join("ada");
  const fleet: TenantFleet = panel.live.of(ada.tenant_id);
  for (const id of ["grp_1", "grp_2"])
    await panel.system.run("INSERT INTO node_groups (tenant_id, id, name, created_at) VALUES (?, ?, ?, 0)", [
      ada.tenant_id,
      id,
      `Group ${id}`,
    ]);
  for (let no = 0; no < COUNT; no++) {
    const own = { ...factsOf(no), tenant_id: ada.tenant_id };
    panel.live.put(nodeFacts(no, own));
    const facts = fleet.get(`node-${no}`);
    if (facts && isHeard(no))
      await panel.live.heartbeat(beatBody(facts, figuresOf(no)), {
        nodeId: facts.id,
        tenantId: ada.tenant_id,
        serial: "",
      });
  }
  let turn = 0;
  for (const [what, filter] of pairs()) {
    const sort = DIRECTIONS[turn++ % DIRECTIONS.length] ?? "host";
    const wanted = { ...filter, page: 1 + (turn % 2), per_page: 5 };
    const { groupIds, ids, not, where, ...rest } = wanted;
    const query = new URLSearchParams(
      Object.entries({ ...rest, sort }).flatMap(([name, value]): [string, string][] =>
        (Array.isArray(value) ? value : [value]).map((one) => [name, String(one)]),
      ),
    );
    // By its name or by its id, in one list or in several.
    for (const id of groupIds ?? []) query.append("group", turn % 2 === 0 ? id : `Group ${id}`);
    for (const [mark, values] of Object.entries(not ?? {}))
      for (const value of values) query.append("not", `${mark}:${value}`);
    for (const { column, sign, limit } of where ?? []) query.append("where", `${column}${sign}${limit}`);
    for (const list of ids ? (turn % 2 === 0 ? [ids.join(",")] : ids) : []) query.append("ids", list);
    const { body } = await panel.call(`GET /api/fleet/instances?${query}`, { token: ada.token });
    expect({ what, sort, ...body }).toEqual({ what, sort, ...oracle(fleet, wanted, sort) });
  }
});

test("what a text finds and what the same text leaves out are the whole fleet, whatever the text; nothing breaks the route", async () => {
  const panel = await createTestPanel(await databases.open());
  const ada = await panel.join("ada");
  const names = [
    "us east",
    'a "b"',
    "back\\slash",
    "tag:lab",
    "cpu>80",
    "ß 😀",
    "İstanbul",
    "e\u0301",
    "100%",
    "a+b&c",
  ];
  for (const [no, hostname] of names.entries())
    panel.live.put(nodeFacts(no, { hostname, tags: [`t${no}`], tenant_id: ada.tenant_id }));
  const count = async (name: string, value: string) => {
    const query = new URLSearchParams([[name, value]]);
    const { status, body } = await panel.call(`GET /api/fleet/instances?${query}`, { token: ada.token });
    return status === 200 ? Number(body.total) : String(body.code);
  };
  for (const name of names) expect([name, await count("not", `q:${name}`)]).toEqual([name, names.length - 1]);
  const piece = fc.oneof(
    fc.constantFrom(...names, '"', " ", ":", "\\", "\0", "%", "\n"),
    fc.string({ unit: "grapheme" }),
  );
  const text = fc
    .array(piece, { minLength: 1, maxLength: 3 })
    // Elysia cuts the lists of a query at commas, so a text with one is several values.
    .map((pieces) => pieces.join("").replaceAll(",", ";").slice(0, 256).toWellFormed());
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const [found, left] = [await count("q", value), await count("not", `q:${value}`)];
      if (value.trim() === "") expect([found, left]).toEqual([names.length, "invalid_request"]);
      else expect(Number(found) + Number(left)).toBe(names.length);
      for (const mark of ["status", "region", "version", "tenant", "group", "tag", "host"])
        expect([names.length, "invalid_request"]).toContain(await count("not", `${mark}:${value}`));
    }),
    { numRuns: runs(40) },
  );
});
