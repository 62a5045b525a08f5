import { expect, test } from "bun:test";
import { describeForbiddenHost } from "./forbidden-host.ts";

const names: Record<string, string[]> = {
  "metadata.example": ["203.0.113.9", "169.254.169.254"],
  "nas.lan": ["192.168.1.9"],
};
const resolve = async (host: string): Promise<string[]> => {
  const found = names[host];
  if (!found) throw new Error("ENOTFOUND");
  return found;
};

test.each([
  "169.254.169.254",
  "fe80::1",
  "::ffff:169.254.0.1",
  "64:ff9b::a9fe:a9fe",
  "100.100.100.200",
  "metadata.example",
])("%s is called by nobody", async (host) => {
  expect(await describeForbiddenHost(host, resolve)).toMatch(/address/);
});

test.each(["192.168.1.9", "10.0.0.1", "127.0.0.1", "nas.lan", "fd12::1", "1.1.1.1", "no-such.example"])(
  "%s may be called",
  async (host) => {
    expect(await describeForbiddenHost(host, resolve)).toBeNull();
  },
);
