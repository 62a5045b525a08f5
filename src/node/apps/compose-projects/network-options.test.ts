import { expect, test } from "bun:test";
import { startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { listNetworkOptions } from "./network-options.ts";
import { readProject } from "./read-project.ts";

const BRIDGE = "com.docker.network.bridge.name";
const fileOf = (options: string) =>
  `services: { a: { image: "web:1" } }\nnetworks:\n  default:\n    driver_opts: { ${options} }\n`;
const network = (more: object) => ({ Id: "0123456789abcdef", Name: "shop_default", Labels: null, ...more });

/** A server with two bridges, whose settings of the network are all on, or all off, or not seen. */
const serverWith = (value: number | null, isSeen = true) => ({
  findInterface: (name: string) => (isSeen ? /^(br|virbr)0$/.test(name) : null),
  networkValue: (_key: string) => value,
});

function dangersOfFile(file: string, networks: ReturnType<typeof network>[] = [], server = serverWith(1)) {
  const read = readProject("shop", { file, env: "", files: [] });
  if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
  return listNetworkOptions({ name: "shop", project: read.project }, networks, server);
}

const dangersOf = (options: string, networks: ReturnType<typeof network>[] = [], server = serverWith(1)) =>
  dangersOfFile(fileOf(options), networks, server);

test.each([
  `${BRIDGE}: br-shop`,
  `${BRIDGE}: ""`,
  "com.docker.network.bridge.enable_icc: 'false'",
  "com.docker.network.bridge.enable_ip_masquerade: 'false'",
  "com.docker.network.bridge.gateway_mode_ipv4: nat",
  "com.docker.network.bridge.gateway_mode_ipv6: isolated",
  "com.docker.network.bridge.host_binding_ipv4: 127.0.0.1",
  "com.docker.network.bridge.inhibit_ipv4: 'true'",
  "com.docker.network.container_iface_prefix: lan",
  "com.docker.network.driver.mtu: '1400'",
])("an option that changes the project's own network alone is no danger: %s", (options) => {
  expect(dangersOf(options)).toEqual([]);
});

test.each(["br0", "virbr0"])("a bridge that the server has already is a danger: %s", (name) => {
  expect(dangersOf(`${BRIDGE}: ${name}`)).toEqual([
    {
      id: `default/taken_bridge:${name}`,
      service: "",
      text: `The network shop_default is made on ${name}, which this server has already: Docker takes the server's own addresses off it for good, by which the server may be cut off, and its containers are on one network with all that is on there.`,
    },
  ]);
});

test.each(["wg0", "shop0", "br1"])("so is a name that an interface may have that comes and goes: %s", (name) => {
  const [danger, ...more] = dangersOf(`${BRIDGE}: ${name}`);
  expect(more).toEqual([]);
  expect(danger).toMatchObject({
    ...{ id: `default/named_bridge:${name}`, service: "" },
    text: expect.stringMatching(/^The network shop_default is made on a bridge called .* does not start\.$/),
  });
  const own = network({ Labels: { "com.docker.compose.project": "shop" }, Options: { [BRIDGE]: name } });
  expect(dangersOf(`${BRIDGE}: ${name}`, [own])).toEqual([]);
});

test("where the interfaces of the server are not seen, each bridge may be one of them, but for the project's own", () => {
  const unseen = serverWith(1, false);
  const [danger] = dangersOf(`${BRIDGE}: br-shop`, [], unseen);
  expect(danger).toMatchObject({
    id: "default/taken_bridge:br-shop",
    text: expect.stringContaining("may have already"),
  });
  const own = network({ Labels: { "com.docker.compose.project": "shop" }, Options: { [BRIDGE]: "br-shop" } });
  expect(dangersOf(`${BRIDGE}: br-shop`, [own], unseen)).toEqual([]);
  expect(dangersOf(`${BRIDGE}: ""`, [], unseen)).toEqual([]);
});

test("what Docker switches on for the whole server is a danger unless it is on", () => {
  const ipv6 = `${fileOf("com.docker.network.driver.mtu: '1400'")}    enable_ipv6: true\n`;
  const apart = "com.docker.network.bridge.enable_icc: 'false'";
  for (const off of [serverWith(0), serverWith(null)]) {
    const [danger, ...more] = dangersOfFile(ipv6, [], off);
    expect(more).toEqual([]);
    expect(danger).toMatchObject({
      ...{ id: "default/ipv6_forwarding", service: "" },
      text: expect.stringMatching(/^The network shop_default has IPv6: .* all interfaces of this server, for good, /),
    });
    expect(dangersOf(apart, [], off)).toMatchObject([{ id: "default/bridge_filter" }]);
    expect(dangersOf("com.docker.network.bridge.enable_icc: 'true'", [], off)).toEqual([]);
  }
  expect(dangersOfFile(ipv6)).toEqual([]);
  const half = { ...serverWith(1), networkValue: (key: string) => (key.includes("ip6") ? 0 : 1) };
  expect(dangersOf(apart, [], half)).toEqual([]);
  const both = `${fileOf(apart)}    enable_ipv6: true\n`;
  expect(dangersOfFile(both, [], half)).toMatchObject([{ id: "default/bridge_filter" }]);
  expect(dangersOf(apart)).toEqual([]);
});

test("the bridge of the project's own network is none, that of another's is one", () => {
  const on = (project: string) => [
    network({ Labels: { "com.docker.compose.project": project }, Options: { [BRIDGE]: "br0" } }),
  ];
  expect(dangersOf(`${BRIDGE}: br0`, on("shop"))).toEqual([]);
  expect(dangersOf(`${BRIDGE}: br0`, on("other"))).toHaveLength(1);
  expect(dangersOf(`${BRIDGE}: virbr0`, on("shop"))).toHaveLength(1);
});

test.each([
  ["parent: eth0", "parent"],
  ["com.docker.network.host_ipv4: 192.0.2.1", "com.docker.network.host_ipv4"],
  ["com.docker.network.bridge.default_bridge: 'true'", "com.docker.network.bridge.default_bridge"],
  ["com.docker.network.bridge.trusted_host_interfaces: eth0", "com.docker.network.bridge.trusted_host_interfaces"],
  ["com.docker.network.bridge.gateway_mode_ipv4: routed", "com.docker.network.bridge.gateway_mode_ipv4"],
  ["com.docker.network.bridge.gateway_mode_ipv6: nat-unprotected", "com.docker.network.bridge.gateway_mode_ipv6"],
  ["com.docker.network.container_iface_prefix: ../lan", "com.docker.network.container_iface_prefix"],
  ["COM.DOCKER.NETWORK.DRIVER.MTU: '1400'", "COM.DOCKER.NETWORK.DRIVER.MTU"],
])("what is not known to be harmless is a danger: %s", (options, key) => {
  expect(dangersOf(options)).toMatchObject([{ id: `default/network_option:${key}` }]);
});

test("the plan names them, and a deploy asks for the confirmation", async () => {
  const world = await startComposeWorld();
  const file = fileOf(`${BRIDGE}: lo, parent: eth0`);
  const { dangers, hash } = await world.plan(file);
  const ids = ["default/taken_bridge:lo", "default/network_option:parent"];
  expect(dangers).toMatchObject(ids.map((id) => ({ id })));
  const deploy = { name: "shop", file, plan: hash, confirmed: ids.slice(1) };
  const refused = await world.call("POST /api/containers/compose", deploy);
  expect(refused.body).toMatchObject({ code: "compose_unconfirmed", params: { ids: ids.slice(0, 1) } });
  expect((await world.deploy(file)).status).toBe("done");
  // From now on the bridge is that of its own network.
  expect((await world.plan(file)).dangers).toMatchObject([{ id: ids[1] }]);
  world.stop();
});
