import { expect, test } from "bun:test";
import { isIPv4 } from "node:net";
import { ownAddresses, plainAddresses, reachableAddresses } from "./addresses.ts";

test("this machine has loopback, which leads nowhere but here", () => {
  const loopback = ownAddresses().find(({ address }) => address === "127.0.0.1");
  expect(loopback).toMatchObject({ family: 4, isInternal: true, cidr: "127.0.0.1/8" });
});

test("addresses of one link are left out, and others reach us by IPv4 first", () => {
  expect(plainAddresses().filter(({ address }) => address.startsWith("fe80:"))).toEqual([]);
  const families = reachableAddresses().map((address) => (isIPv4(address) ? 4 : 6));
  expect(families).toEqual(families.toSorted());
  expect(reachableAddresses()).not.toContain("127.0.0.1");
});
