import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { inventoryOf } from "../../../../shared/agent-protocol/index.ts";
import type { SwarmFacts, SwarmMember } from "../../../apps/runtime/index.ts";
import { parseSwarmIdentity } from "./swarm-identity.ts";
import { describeSwarm, neighboursOf, type SwarmView } from "./swarm-report.ts";

/** Of a worker, as Docker 20.10 keeps it. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIICKTCCAc+gAwIBAgIUa8lgni/2Zw/iVNt3cd50+F44SqYwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAxMIc3dhcm0tY2EwHhcNMjYxMTIxMTIzMTAwWhcNMjcwMjE5MTMz
MTAwWjBfMSIwIAYDVQQKExk4bG9uNWx2NG5sbm9hNTg2emo4YzhwaHM3MRUwEwYD
VQQLEwxzd2FybS13b3JrZXIxIjAgBgNVBAMTGXZhN2Y2Zzh1YjI2aGIwNG45Z3h5
aWV1bzEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQMYM7D3j4NRFy5O+8v1YGf
n+AtefV0gtTqP+lug6UJpypVTSmcZ2QVCvmTomhmgVVGnWYU9RTYu5MqcNUVEZNY
o4G0MIGxMA4GA1UdDwEB/wQEAwIFoDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYB
BQUHAwIwDAYDVR0TAQH/BAIwADAdBgNVHQ4EFgQUjLAtD0g2fUjaZbTb8M7QV+QM
8CcwHwYDVR0jBBgwFoAUzpixJCC3rvs+SjTnN2RFoszOZ8swMgYDVR0RBCswKYIM
c3dhcm0td29ya2Vyghl2YTdmNmc4dWIyNmhiMDRuOWd4eWlldW8xMAoGCCqGSM49
BAMCA0gAMEUCIAxCkpHwguRpHFqE8Ywy5vvJTQs3xlKV44rq9oHb6cOqAiEAiW9E
A6y+fHFkKwhfZCGSe6sKqjR76khUg6rudxCDBhs=
-----END CERTIFICATE-----`;

const facts = (more: Partial<SwarmFacts> = {}): SwarmFacts => ({
  state: "active",
  node_id: "m1",
  address: "10.0.0.1",
  is_manager: true,
  cluster: { id: "c1", name: "default" },
  managers: [
    { node_id: "m1", address: "10.0.0.1:2377" },
    { node_id: "m2", address: "[fd00::2]:2377" },
  ],
  ...more,
});
const member = (id: string, more: Partial<SwarmMember> = {}): SwarmMember => ({
  id,
  hostname: `srv-${id}`,
  role: "worker",
  state: "ready",
  address: `10.0.0.${id.slice(1)}`,
  manager: null,
  ...more,
});
const managing = (address: string, more: Partial<SwarmMember["manager"]> = {}): Partial<SwarmMember> => ({
  role: "manager",
  manager: { is_leader: false, reachability: "reachable", address: `${address}:2377`, ...more },
});
const members = [
  // A manager may know its own address only as that of no place.
  member("m1", { address: "0.0.0.0", ...managing("10.0.0.1", { is_leader: true }) }),
  member("m2", managing("10.0.0.2")),
  member("w3"),
];
const view = (more: Partial<SwarmView> = {}): SwarmView => ({
  facts: facts(),
  identity: null,
  members,
  formerMembers: [],
  ...more,
});
const statuses = (of: SwarmView, times: Record<string, number | null> = {}) =>
  describeSwarm(of, new Map(Object.entries(times)))?.peers.map(({ key, status }) => `${key} ${status}`);

describe("a certificate of a swarm", () => {
  test("names cluster, member and role", () => {
    expect(parseSwarmIdentity(CERTIFICATE)).toEqual({
      cluster_id: "8lon5lv4nlnoa586zj8c8phs7",
      node_id: "va7f6g8ub26hb04n9gxyieuo1",
      is_manager: false,
    });
    expect(parseSwarmIdentity("nothing")).toBeNull();
  });
});

describe("what is told of a swarm", () => {
  test("a manager tells every member, how far away it is, and who leads; never what Docker does not tell", () => {
    const report = describeSwarm(view(), new Map([["10.0.0.2", 1.2]]));
    expect(report).toEqual({
      id: "c1",
      name: "default",
      role: "leader",
      key: "os:m1",
      ip: "10.0.0.1",
      term: null,
      leader: "os:m1",
      commit_index: null,
      peers: [
        {
          ...{ key: "os:m2", id: null, host: "srv-m2", role: "manager" },
          ...{ status: "up", wg_ip: "10.0.0.2", rtt_ms: 1.2 },
        },
        {
          ...{ key: "os:w3", id: null, host: "srv-w3", role: "worker" },
          ...{ status: "up", wg_ip: "10.0.0.3", rtt_ms: null },
        },
      ],
    });
    expect(inventoryOf.cluster({ cluster: report })).toEqual(report);
  });

  test.each([
    ["ready", "reachable", 1, "up"],
    ["ready", "reachable", undefined, "up"],
    ["ready", "reachable", null, "degraded"],
    ["ready", "unreachable", 1, "degraded"],
    ["unknown", "reachable", 1, "degraded"],
    ["down", "unreachable", null, "down"],
    ["disconnected", "reachable", 1, "down"],
  ])("%s and %s, reached in %p ms, is %s", (state, reachability, time, expected) => {
    const other = member("m2", { state, ...managing("10.0.0.2", { reachability }) });
    const times = time === undefined ? {} : { "10.0.0.2": time };
    expect(statuses(view({ members: [other] }), times)).toEqual([`os:m2 ${expected}`]);
    const [told] = describeSwarm(view({ members: [other] }), new Map(Object.entries(times)))?.peers ?? [];
    expect(told?.rtt_ms).toBe(expected === "down" ? null : (time ?? null));
  });

  test("a worker tells the managers that it knows and reaches, and no leader", () => {
    const worker = facts({ node_id: "w3", is_manager: false, cluster: null });
    const identity = { cluster_id: "c1", node_id: "w3", is_manager: false };
    const of = view({ facts: worker, identity, members: null });
    expect(describeSwarm(of, new Map())).toMatchObject({ id: "c1", name: null, role: "worker", leader: null });
    expect(statuses(of, { "10.0.0.1": 3, "fd00::2": null })).toEqual(["os:m1 up", "os:m2 down"]);
    expect(describeSwarm({ ...of, identity: null }, new Map())).toBeNull();
  });

  test("without a majority a manager looks itself who is still there", () => {
    const identity = { cluster_id: "c1", node_id: "m1", is_manager: true };
    const of = view({ facts: facts({ cluster: null }), identity, members: null, formerMembers: members });
    expect(describeSwarm(of, new Map())).toMatchObject({ role: "manager", leader: null });
    expect(statuses(of, { "10.0.0.2": null })).toEqual(["os:m2 down", "os:w3 degraded"]);
  });

  test("whatever the engine says, the panel can read it", () => {
    const word = fc.oneof(fc.string({ maxLength: 300 }), fc.constantFrom("", "ready", "10.0.0.9:2377", "a1b2"));
    const anyMember = fc.record({
      id: fc.stringMatching(/^[a-z0-9]{0,25}$/),
      hostname: word,
      role: word,
      state: word,
      address: word,
      manager: fc.option(fc.record({ is_leader: fc.boolean(), reachability: word, address: word })),
    });
    const manyMembers = fc.array(anyMember, { maxLength: 300 });
    fc.assert(
      fc.property(manyMembers, word, fc.boolean(), (all, address, isKnown) => {
        const managers = all.map(({ id }) => ({ node_id: id, address }));
        const of = view({ facts: facts({ address, managers }), members: isKnown ? all : null });
        const times = new Map(neighboursOf(of).map((one) => [one.address ?? "", 1]));
        expect(inventoryOf.cluster({ cluster: describeSwarm(of, times) })).not.toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});
