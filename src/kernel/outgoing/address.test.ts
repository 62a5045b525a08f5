import { expect, test } from "bun:test";
import fc from "fast-check";
import { embeddedAddresses, isWithin, parseAddress, parseCidr } from "./address.ts";
import { describeBlock } from "./ranges.ts";

const address = (text: string) => {
  const parsed = parseAddress(text);
  if (!parsed) throw new Error(`${text} is no address`);
  return parsed;
};
const block = (text: string, allowed: string[] = []) => describeBlock(address(text), allowed.map(parseCidr));

test("an address is the same number in every spelling", () => {
  const spellings = ["::1", "0:0:0:0:0:0:0:1", "0000::0001", "::0.0.0.1", "0::0:1", "::1%lo"];
  for (const text of spellings) expect([text, address(text)]).toEqual([text, { family: 6, value: 1n }]);
  for (const text of ["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:7f00:0001", "127.0.0.1"])
    expect([text, address(text)]).toEqual([text, { family: 4, value: 0x7f00_0001n }]);
  for (const text of ["", "127.1", "0177.0.0.1", "1.2.3.4.5", "localhost", "::g", ":::", "1::2::3", "256.0.0.1"])
    expect([text, parseAddress(text)]).toEqual([text, null]);
});

test("reads back what it wrote, for any IPv6 address", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const { family, value } = address(text);
      if (family === 4) return;
      const hex = value.toString(16).padStart(32, "0");
      expect(address(hex.replace(/(.{4})(?=.)/g, "$1:")).value).toBe(value);
    }),
  );
});

test("a range ends where its bits end", () => {
  const inside = (text: string, range: string) => isWithin(address(text), parseCidr(range));
  expect([inside("10.255.255.255", "10.0.0.0/8"), inside("11.0.0.0", "10.0.0.0/8")]).toEqual([true, false]);
  expect([inside("172.31.255.255", "172.16.0.0/12"), inside("172.32.0.0", "172.16.0.0/12")]).toEqual([true, false]);
  expect([inside("fdff::1", "fc00::/7"), inside("fe00::1", "fc00::/7")]).toEqual([true, false]);
  expect([inside("::1", "0.0.0.0/0"), inside("1.2.3.4", "::/0")]).toEqual([false, false]);
  expect([inside("1.2.3.4", "1.2.3.4"), inside("1.2.3.5", "1.2.3.4")]).toEqual([true, false]);
  for (const text of [
    "",
    "10",
    "10.0.0.0/",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "::/129",
    "10.0.0.0/-1",
    "x/8",
    "10.0.0.0/1.5",
  ])
    expect(() => parseCidr(text)).toThrow("is not a range");
});

// First and last address of every range that is off limits, and their neighbours.
test.each([
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
  ["::", "::1"],
  ["64:ff9b::", "64:ff9b::ffff:ffff"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::", "100::ffff:ffff:ffff:ffff"],
  ["2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["::ffff:10.0.0.1", "::ffff:192.168.1.1"],
])("%s to %s is off limits", (first, last) => {
  expect([block(first) !== null, block(last) !== null]).toEqual([true, true]);
});

test.each([
  ...["1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0"],
  ...["169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255"],
  ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "223.255.255.255"],
  ...["2000::", "2001:200::1", "2003::1", "2606:4700::1111", "2a00:1450:4001::200e", "3ffe::1", "::ffff:8.8.8.8"],
])("%s is on the public internet", (text) => {
  expect(block(text)).toBeNull();
});

test("an allowed range is open, but never metadata, the link or many at once", () => {
  const everything = ["0.0.0.0/0", "::/0"];
  for (const text of ["127.0.0.1", "10.1.2.3", "::1", "fd12::1", "2002:808:808::1"])
    expect([text, block(text, everything)]).toEqual([text, null]);
  expect(block("192.168.1.5", ["192.168.1.0/24"])).toBeNull();
  expect(block("192.168.2.5", ["192.168.1.0/24"])).toEqual({ what: "a private address", canAllow: true });
  const never = [
    ...["169.254.169.254", "169.254.0.1", "::ffff:169.254.169.254", "100.100.100.200", "fd00:ec2::254", "fe80::1"],
    ...["224.0.0.1", "ff02::1", "255.255.255.255", "64:ff9b::a9fe:a9fe", "64:ff9b:1::169.254.169.254"],
    ...["2002:a9fe:a9fe::1", "::169.254.169.254", "::ffff:0:169.254.169.254", "2001:0:1:2:3:4:5601:5601"],
    ...["fd00::5efe:169.254.169.254", "fd00::200:5efe:a9fe:a9fe", "2002:6464:64c8::"],
  ];
  for (const text of never) expect([text, block(text, everything)?.canAllow]).toEqual([text, false]);
});

test("the IPv4 address inside is found", () => {
  const inside = (text: string) => embeddedAddresses(address(text)).map(({ value }) => value.toString(16));
  expect(inside("64:ff9b::7f00:1")).toEqual(["7f000001"]);
  expect(inside("2002:7f00:1::")).toEqual(["7f000001"]);
  expect(inside("2001:0:7f00:1::80ff:fffe")).toEqual(["7f000001", "7f000001"]);
  expect(inside("2606:4700::1111")).toEqual([]);
  expect(inside("127.0.0.1")).toEqual([]);
});
