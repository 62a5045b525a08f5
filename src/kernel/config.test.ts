import { afterAll, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "../../tests/kit/scratch.ts";
import {
  addresses,
  ConfigError,
  type ConfigTable,
  describeConfig,
  flag,
  hostPort,
  list,
  loadConfig,
  oneOf,
  text,
} from "./config.ts";

const folder = makeScratch("config");
afterAll(() => rmSync(folder, { recursive: true }));

const table = {
  listen: { env: "T_LISTEN", default: { host: "127.0.0.1", port: 1 }, parse: hostPort, doc: "where" },
  level: { env: "T_LEVEL", default: "info", parse: oneOf("info", "debug"), doc: "how much" },
  names: { env: "T_NAMES", default: [], parse: list, doc: "who" },
  on: { env: "T_ON", default: false, parse: flag, doc: "whether" },
  key: { env: "T_KEY", default: "", parse: text, secret: true, doc: "a secret" },
} satisfies ConfigTable;

test("command line, then environment, then file, then default", () => {
  const file = join(folder, "key");
  writeFileSync(file, "from file\n");
  const config = loadConfig(
    table,
    { T_LEVEL: "info", T_NAMES: " a, ,b ", T_KEY_FILE: file, T_ON_FILE: file, T_ON: "true" },
    { level: "debug" },
  );
  expect(config).toEqual({
    listen: { host: "127.0.0.1", port: 1 },
    level: "debug",
    names: ["a", "b"],
    on: true,
    key: "from file",
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test("all problems are told at once, without the values", () => {
  const env = { T_LISTEN: "no-port", T_LEVEL: "hunter2", T_ON: "yes", T_KEY_FILE: join(folder, "none") };
  const load = () => loadConfig(table, env, {});
  expect(load).toThrow(ConfigError);
  for (const part of [/T_LISTEN: must look like/, /T_LEVEL: must be one of info, debug/, /T_ON: /, /T_KEY: .*ENOENT/]) {
    expect(load).toThrow(part);
  }
  expect(load).not.toThrow(/hunter2|no-port/);
});

test("an empty environment value counts as not set", () => {
  expect(loadConfig(table, { T_LISTEN: "", T_LEVEL: "", T_KEY_FILE: "" }, {})).toMatchObject({
    listen: { host: "127.0.0.1", port: 1 },
    level: "info",
    key: "",
  });
});

test("secrets are hidden when the configuration is shown", () => {
  const config = loadConfig(table, { T_KEY: "hunter2", T_NAMES: "a" }, {});
  const rows = describeConfig(table, config);
  expect(JSON.stringify(rows)).not.toContain("hunter2");
  expect(rows.find(({ key }) => key === "key")).toEqual({
    key: "key",
    env: "T_KEY",
    value: "[hidden]",
    doc: "a secret",
  });
  expect(rows.find(({ key }) => key === "names")?.value).toBe('["a"]');
});

test.each([
  ["127.0.0.1:0", "127.0.0.1", 0],
  ["[::1]:8420", "[::1]", 8420],
  ["0.0.0.0:65535", "0.0.0.0", 65_535],
])("hostPort reads %s", (given, host, port) => {
  expect(hostPort(given)).toEqual({ host, port });
});

test("addresses and networks are read as requests are compared with them, and anything else is refused", () => {
  expect(addresses(" ::ffff:10.0.0.1, [::1],2001:DB8::1 ,10.0.0.2,0:0:0:0:0:0:0:1")).toEqual([
    ...["10.0.0.1", "::1", "2001:db8::1", "10.0.0.2", "::1"],
  ]);
  expect(addresses("10.0.0.0/8, FD00:0::/8, ::ffff:10.1.0.0/112, ::/0")).toEqual([
    ...["10.0.0.0/8", "fd00::/8", "10.1.0.0/16", "::/0"],
  ]);
  for (const text of [
    "proxy",
    "proxy/8",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "::ffff:10.0.0.0/8",
    "fd00::/129",
    "10.0.0.1 10.0.0.2",
  ])
    expect(() => addresses(text)).toThrow("is none");
});

test.each(["", "8420", ":8420", "a:65536", "a:-1", "::1:80", "a b:1", "a:1x", "[::1]"])(
  "hostPort refuses %p",
  (given) => {
    expect(() => hostPort(given)).toThrow("must look like");
  },
);
