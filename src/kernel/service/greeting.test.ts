import { expect, test } from "bun:test";
import { TEST_PROGRAM } from "../../../tests/kit/temp-host.ts";
import { localUrl, parseEnvFile } from "./env-file.ts";
import { greet, reachableUrls } from "./greeting.ts";
import { createHost } from "./host.ts";

const host = createHost({ addresses: () => ["10.0.0.5", "2001:db8::5"], hostname: () => "attic.example" });

test.each([
  ["0.0.0.0", ["http://10.0.0.5:8420", "http://attic.local:8420", "http://127.0.0.1:8420"]],
  ["[::]", ["http://10.0.0.5:8420", "http://[2001:db8::5]:8420", "http://attic.local:8420", "http://127.0.0.1:8420"]],
  ["127.0.0.1", ["http://127.0.0.1:8420"]],
  ["10.0.0.5", ["http://10.0.0.5:8420"]],
])("a service on %s is reached by these URLs", (address, expected) => {
  expect(reachableUrls(host, { host: address, port: 8420 }).map(({ url }) => url)).toEqual(expected);
});

test("the scanned code is a picture of lines that are all as wide, with and without a token", () => {
  const urls = reachableUrls(host, { host: "0.0.0.0", port: 8420 });
  for (const token of [null, "E29WroaHvl7C_Tw1jDul"]) {
    const picture = greet(TEST_PROGRAM, urls, token).filter((line) => /[█▀▄]/.test(line));
    expect(new Set(picture.map((line) => line.length)).size).toBe(1);
    expect(picture.length).toBeGreaterThan(12);
  }
});

test("an environment file is read as systemd reads it", () => {
  const text = "# comment\n\nORRERY_LISTEN=0.0.0.0:8420\n; other\nA=\"b c\"\nB='d'\nbroken line\nC=\n";
  expect(parseEnvFile(text)).toEqual({ ORRERY_LISTEN: "0.0.0.0:8420", A: "b c", B: "d", C: "" });
});

test("a service on every address answers this machine on loopback", () => {
  expect(localUrl({ host: "0.0.0.0", port: 1 })).toBe("http://127.0.0.1:1");
  expect(localUrl({ host: "[::]", port: 1 })).toBe("http://[::1]:1");
  expect(localUrl({ host: "10.0.0.5", port: 1 })).toBe("http://10.0.0.5:1");
});
