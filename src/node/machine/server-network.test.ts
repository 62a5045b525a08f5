import { expect, test } from "bun:test";
import { mkdirSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../../tests/kit/scratch.ts";
import { readKernelValue } from "./kernel-value.ts";
import { findInterface, readNetworkValue } from "./server-network.ts";

const NAME = "orrery-no-such";
const FORWARDING = "net.ipv4.ip_forward";

test("the server's own kernel is asked", () => {
  expect(findInterface("/", "lo")).toBe(true);
  expect(findInterface("/", NAME)).toBe(false);
  expect(readNetworkValue("/", FORWARDING)).toBe(readKernelValue("/", FORWARDING));
});

test("from another network only what is in the list is known to be there, and nothing of the settings", () => {
  const root = makeScratch("server-network");
  mkdirSync(join(root, "sys/class/net/br0"), { recursive: true });
  mkdirSync(join(root, "proc/1/ns"), { recursive: true });
  symlinkSync("net:[1]", join(root, "proc/1/ns/net"));
  expect(findInterface(root, "br0")).toBe(true);
  for (const name of ["lo", NAME, "../net/br0"]) expect(findInterface(root, name)).toBeNull();
  expect(readNetworkValue(root, FORWARDING)).toBeNull();
});

test("a container in the server's own network asks the kernel too", () => {
  const root = makeScratch("server-network");
  mkdirSync(join(root, "proc/1/ns"), { recursive: true });
  symlinkSync(readlinkSync("/proc/self/ns/net"), join(root, "proc/1/ns/net"));
  expect(findInterface(root, "lo")).toBe(true);
  expect(findInterface(root, NAME)).toBe(false);
});
