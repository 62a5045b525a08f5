import { expect, test } from "bun:test";
import { checkDisk, checkMemory } from "./checks.ts";

const MB = 1_048_576;
const template = { manifest: { needs: { ram_mb: 512, disk_mb: 512, docker: ">=20.10" } } };

/** A host with so many free megabytes of 4000 on each of the places that it can be asked about. */
const host = (memory: number, places: Record<string, number>) => {
  const space = async (place: string) => {
    const free = places[place];
    return free === undefined
      ? null
      : { total: 9000 * MB, used: (4000 - free) * MB, free: free * MB, files: { used: 0, total: 0 } };
  };
  const total = memory === 0 ? 0 : 4000 * MB;
  return {
    host: {
      memory: () => ({ total, used: total - memory * MB, swapUsed: 0 }),
      space: (place: string) => space(`host ${place}`),
      ownSpace: space,
    },
    config: { data_dir: "/data" },
    runtime: { facts: () => ({ root_dir: "/docker" }) },
  };
};

test("memory is what could be used, by the host's own count", () => {
  expect(checkMemory(host(600, {}), template)).toMatchObject({ status: "ok", used: 3912 * MB, total: 4000 * MB });
  expect(checkMemory(host(500, {}), template)).toMatchObject({ status: "warn" });
  expect(checkMemory(host(0, {}), template)).toMatchObject({ status: "warn", detail: "It could not be measured." });
});

test("disk space is that of Docker's folder on the host, or else that of our own data", async () => {
  expect(await checkDisk(host(0, { "host /docker": 600, "/data": 1 }), template)).toMatchObject({
    status: "ok",
    used: 3912 * MB,
    total: 4000 * MB,
  });
  expect(await checkDisk(host(0, { "host /docker": 500, "/data": 900 }), template)).toMatchObject({ status: "fail" });
  expect(await checkDisk(host(0, { "/data": 600 }), template)).toMatchObject({ status: "ok" });
  expect(await checkDisk(host(0, {}), template)).toMatchObject({ detail: "It could not be measured." });
});
