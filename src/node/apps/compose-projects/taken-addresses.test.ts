import { expect, test } from "bun:test";
import { type ComposeWorld, startComposeWorld } from "../../../../tests/kit/compose-world.ts";
import { readProject } from "./read-project.ts";
import { listTakenAddresses } from "./taken-addresses.ts";

const fileOf = (config: string) =>
  `services: { a: { image: "web:1" } }\nnetworks:\n  default:\n    ipam: { config: [{ ${config} }] }\n`;
const read = (config: string) => readProject("shop", { file: fileOf(config), env: "", files: [] });

const REACHED = [
  { range: "192.168.1.0/24", by: "eth0" },
  { range: "172.28.0.0/16", by: "br-0123456789ab" },
  { range: "172.28.0.1", by: "br-0123456789ab" },
  { range: "10.9.9.9", by: null },
];
const network = (more: object) => ({ Id: "0123456789abcdef", Name: "shop_default", Labels: null, ...more });
const ON_ENGINE = [network({ IPAM: { Config: [{ Subnet: "172.28.0.0/16" }] } })];

function dangersOf(subnet: string, networks = ON_ENGINE) {
  const found = read(`subnet: "${subnet}"`);
  if (found.kind === "refused") throw new Error(JSON.stringify(found.problems));
  return listTakenAddresses({ name: "shop", project: found.project }, networks, REACHED);
}

test.each(["10.5.0.0/16", "172.28.0.0/16", "172.30.0.0/24", "192.168.2.0/24", "100.64.0.0/16", "fd12:3456::/64"])(
  "a network of its own addresses takes nothing from the server: %s",
  (subnet) => {
    expect(dangersOf(subnet)).toEqual([]);
  },
);

test.each([
  ["1.1.1.0/24", "which are of the Internet"],
  ["8.0.0.0/8", "which are of the Internet"],
  ["172.0.0.0/8", "reaches by br-0123456789ab"],
  ["198.18.77.0/24", "which are of the Internet"],
  ["2001:db8::/32", "which are of the Internet"],
  ["169.254.169.0/24", "where clouds hand out credentials"],
  ["100.100.0.0/16", "where clouds hand out credentials"],
  ["fd00::/8", "where clouds hand out credentials"],
  ["192.168.0.0/16", "which this server reaches by eth0"],
  ["192.168.1.128/25", "which this server reaches by eth0"],
  ["10.0.0.0/8", "in which 10.9.9.9 lies, whom this server asks for names"],
])("a network that takes %s from the server is a danger", (subnet, words) => {
  const networks = subnet === "172.0.0.0/8" ? [] : ON_ENGINE;
  const [danger, ...more] = dangersOf(subnet, networks);
  expect(more).toEqual([]);
  expect(danger).toMatchObject({ id: `default/taken_addresses:${subnet}`, text: expect.stringContaining(words) });
});

test("what Docker says of a bridge that is not its own hides none of its routes", () => {
  const lan = network({
    Options: { "com.docker.network.bridge.name": "eth0" },
    IPAM: { Config: [{ Subnet: "10.7.0.0/16" }] },
  });
  expect(dangersOf("192.168.1.0/24", [lan])).toHaveLength(1);
});

test.each([
  "0.0.0.0/0",
  "0.0.0.0/1",
  "128.0.0.0/1",
  "127.0.0.0/16",
  "224.0.1.0/24",
  "240.0.0.0/8",
  "::/0",
  "::1/128",
  "::ffff:10.0.0.0/104",
  "ff02::/16",
])("no network has the addresses %s", (subnet) => {
  expect(read(`subnet: "${subnet}"`)).toMatchObject({
    kind: "refused",
    problems: [
      { key: "networks.default.ipam.config[0].subnet", message: `${subnet} has addresses that no network can have` },
    ],
  });
});

test("what a network gives out lies in its block", () => {
  expect(read("subnet: 172.28.0.0/16, gateway: 172.28.0.1, ip_range: 172.28.5.0/24")).toMatchObject({ kind: "read" });
  for (const more of ["gateway: 192.168.1.1", "ip_range: 1.1.1.0/24"])
    expect(read(`subnet: 172.28.0.0/16, ${more}`)).toMatchObject({ kind: "refused" });
  expect(read("subnet: 'fe80::%eth0/64'")).toMatchObject({ kind: "refused" });
});

test("the plan names it, and a deploy asks for the confirmation", async () => {
  const world: ComposeWorld = await startComposeWorld();
  const file = fileOf("subnet: 198.18.77.0/24");
  const { dangers, hash } = await world.plan(file);
  expect(dangers).toMatchObject([{ id: "default/taken_addresses:198.18.77.0/24" }]);
  const refused = await world.call("POST /api/containers/compose", { name: "shop", file, plan: hash });
  expect(refused.body).toMatchObject({ code: "compose_unconfirmed" });
  world.stop();
});
