import { expect, test } from "bun:test";
import { describePeer, networkOf, networksAround, providerOf } from "./peer.ts";
import { plainAddress } from "./plain-address.ts";

function peerOf(address: string | null, headers: Record<string, string>, trusted: string[], url = "http://localhost/") {
  const server = { requestIP: () => (address === null ? null : { address }) };
  return describePeer({ request: new Request(url, { headers }), server }, trusted);
}

test.each([
  ["nobody is trusted", "203.0.113.9", "198.51.100.1", [], "203.0.113.9"],
  ["the sender is not the trusted proxy", "203.0.113.9", "198.51.100.1", ["10.0.0.1"], "203.0.113.9"],
  ["one proxy", "10.0.0.1", "198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
  ["the client wrote a list of its own", "10.0.0.1", "1.1.1.1, 2.2.2.2, 198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
  ["two proxies", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", ["10.0.0.1", "10.0.0.2"], "198.51.100.1"],
  ["the client poses as a proxy", "10.0.0.1", "10.0.0.1", ["10.0.0.1"], "10.0.0.1"],
  ["ports do not count", "10.0.0.1", "198.51.100.1:5555", ["10.0.0.1"], "198.51.100.1"],
  ["brackets, port and case do not count", "10.0.0.1", "[2001:DB8::1]:443", ["10.0.0.1"], "2001:db8::1"],
  ["nonsense is not believed", "10.0.0.1", "198.51.100.1, <script>", ["10.0.0.1"], "10.0.0.1"],
  ["nothing is forwarded", "10.0.0.1", "", ["10.0.0.1"], "10.0.0.1"],
  ["IPv4 in IPv6 form", "::ffff:10.0.0.1", "::ffff:198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
  ["IPv4 in IPv6 form, as hexadecimals", "0:0:0:0:0:ffff:a00:1", "::ffff:c633:6401", ["10.0.0.1"], "198.51.100.1"],
  ["IPv6 spelt out", "0:0:0:0:0:0:0:1", "2001:0db8:0::0:1, 0::0:2", ["::1", "::2"], "2001:db8::1"],
  ["a network of proxies", "10.9.9.9", "6.6.6.6, 198.51.100.1, 10.1.2.3", ["10.0.0.0/8"], "198.51.100.1"],
  ["a network of IPv6", "fd00:1::7", "198.51.100.1, fd00:1:0:0:ffff::", ["fd00:1::/32"], "198.51.100.1"],
  ["not in the network", "11.0.0.1", "198.51.100.1", ["10.0.0.0/8", "fd00::/8"], "11.0.0.1"],
])("%s", (_name, address, forwarded, trusted, expected) => {
  expect(peerOf(address, { "x-forwarded-for": forwarded }, trusted).ip).toBe(expected);
});

test("a connection that is gone is nobody, least of all a trusted one", () => {
  expect(peerOf(null, { "x-forwarded-for": "198.51.100.1" }, ["127.0.0.1"])).toEqual({ ip: "unknown", isHttps: false });
});

test("TLS is what we see, or what a trusted proxy says", () => {
  const https = { "x-forwarded-proto": "https" };
  expect(peerOf("10.0.0.1", https, ["10.0.0.1"]).isHttps).toBe(true);
  expect(peerOf("203.0.113.9", https, ["10.0.0.1"]).isHttps).toBe(false);
  expect(peerOf("10.0.0.1", { "x-forwarded-proto": "http" }, ["10.0.0.1"]).isHttps).toBe(false);
  expect(peerOf("203.0.113.9", {}, [], "https://localhost/").isHttps).toBe(true);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1:80", "192.0.2.1"],
  [" 2001:DB8::1 ", "2001:db8::1"],
  ["[::1]", "::1"],
  ["[::1]:8420", "::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["::FFFF:C000:201", "192.0.2.1"],
  ["0:0:0:0:0:0:0:1", "::1"],
  ["2001:0DB8:0000:0:0::00ff", "2001:db8::ff"],
  ["2001:db8::192.0.2.1", "2001:db8::c000:201"],
  ["0::0", "::"],
  ["", null],
  ["unknown", null],
  ["192.0.2", null],
  ["192.0.2.1.5", null],
  ["999.0.2.1", null],
  ["_hidden", null],
])("plainAddress(%p) is %p", (text, address) => {
  expect(plainAddress(text)).toBe(address);
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["unknown", "unknown"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8:1:2::", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::ffff", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("networkOf(%p) is %p", (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

test.each([
  ["192.0.2.1", "192.0.0.0/16"],
  ["unknown", "unknown"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8::/32"],
  ["2001:0db8::ffff", "2001:db8::/32"],
])("providerOf(%p) is %p", (ip, provider) => {
  expect(providerOf(ip)).toBe(provider);
});

test.each([
  ["192.0.2.1", ["192.0.0.0/16", "192.0.2.0/24", "192.0.2.1"]],
  ["unknown", ["unknown", "unknown", "unknown"]],
  ["2001:db8:1:2:3:4:5:6", ["2001:db8::/32", "2001:db8:1::/48", "2001:db8:1:2::/64"]],
] as const)("networksAround(%p) is %p", (ip, networks) => {
  expect(networksAround(ip)).toEqual([...networks]);
});
