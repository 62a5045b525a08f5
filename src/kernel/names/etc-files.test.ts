import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completions, createTextFile, findInHosts, hasOtherSources, readSearch } from "./etc-files.ts";
import { readHost } from "./spelling.ts";

test("the addresses of a name in /etc/hosts are those of all its lines, and of no other name", () => {
  const hosts = [
    "127.0.0.1\tlocalhost # nas",
    "10.0.0.1 nas.example nas # the old one",
    "fd00::1 nas",
    "#10.0.0.2 nas",
    "10.0.0.3 my-nas nas.other",
    "nonsense nas",
  ].join("\n");
  expect(findInHosts(hosts, "nas")).toEqual(["10.0.0.1", "fd00::1"]);
  expect(findInHosts(hosts, "nas.other")).toEqual(["10.0.0.3"]);
  for (const name of ["as", "10.0.0.1", "old", "example", "other"])
    expect([name, findInHosts(hosts, name)]).toEqual([name, []]);
});

test("a file is read anew when it changes, and is empty while there is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "names-"));
  try {
    const read = createTextFile(join(folder, "hosts"));
    expect(read()).toBe("");
    writeFileSync(join(folder, "hosts"), "10.0.0.1 NAS");
    expect(read()).toBe("10.0.0.1 nas");
    writeFileSync(join(folder, "hosts"), "10.0.0.1 nas printer");
    expect(read()).toBe("10.0.0.1 nas printer");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  ["nas", "search lan.example corp.example.", ["nas.lan.example", "nas.corp.example", "nas"]],
  ["nas.lan", "domain x.example\nsearch corp.example", ["nas.lan", "nas.lan.corp.example"]],
  ["a.b", "search corp.example\noptions rotate ndots:2", ["a.b.corp.example", "a.b"]],
  ["nas.", "search corp.example", ["nas"]],
  ["nas", "search .", ["nas"]],
  ["nas", "", ["nas.home.example", "nas"]],
])("%s is completed by %j", (name, text, expected) => {
  expect(completions(name, readSearch(text, "web1.home.example"))).toEqual(expected);
});

test.each([
  ["", false],
  ["hosts: files dns", false],
  ["passwd: files sss\nhosts: files dns # mdns", false],
  ["hosts: files mdns4_minimal [NOTFOUND=return] dns", true],
  ["hosts: files [success=return] dns myhostname", true],
])("%j has other sources of names: %p", (text, expected) => {
  expect(hasOtherSources(text)).toBe(expected);
});

test("an address in any spelling is one, and what is no name is asked of nobody", () => {
  for (const text of ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "0177.0.0.1", "127.0.0.1."])
    expect([text, readHost(text)]).toEqual([text, { address: "127.0.0.1" }]);
  expect(readHost("fd00::1")).toEqual({ address: "fd00::1" });
  expect(readHost("Mail_1.Example.")).toEqual({ name: "mail_1.example." });
  for (const text of [
    "",
    ".",
    "a..b",
    "*.example",
    "-v",
    "a b",
    "mäil.example",
    "256.1.1.1",
    "a.1",
    `${"a".repeat(64)}.example`,
  ])
    expect(() => readHost(text)).toThrow("getaddrinfo ENOTFOUND");
});
