import { expect, test } from "bun:test";
import { hasLink } from "./link-names.ts";

test("an interface is found by its name, and nothing by one that no interface can have", () => {
  expect(hasLink("lo")).toBe(true);
  for (const name of ["orrery-no-such", "", ".", "lo\0x", "lo:1", "l".repeat(16)]) expect(hasLink(name)).toBe(false);
});

const program = `
  const { hasLink } = await import(${JSON.stringify(`${import.meta.dir}/link-names.ts`)});
  const ip = (...words) => Bun.spawnSync(["ip", ...words]).success;
  const isMade = ip("link", "add", "lan0", "type", "bridge") && ip("link", "property", "add", "dev", "lan0", "altname", "wire0");
  console.log(JSON.stringify([isMade, hasLink("lan0"), hasLink("wire0"), hasLink("wire1")]));
`;

/** Runs it in a network of its own. */
const inOwnNetwork = () => Bun.spawnSync(["unshare", "--net", process.execPath, "-e", program]).stdout.toString();
const mayMakeNetworks =
  Bun.which("ip") !== null && Bun.which("unshare") !== null && Bun.spawnSync(["unshare", "--net", "true"]).success;

test.skipIf(!mayMakeNetworks)("an interface is found by its other names too", () => {
  const [isMade, ...found] = JSON.parse(inOwnNetwork());
  // A kernel that knows no other names has made none.
  expect(found).toEqual(isMade ? [true, true, false] : [expect.any(Boolean), false, false]);
});
