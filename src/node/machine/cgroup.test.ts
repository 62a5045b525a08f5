import { expect, test } from "bun:test";
import { openContainer, parseCgroupPlace, parseNetworkUse, statValue } from "./cgroup.ts";

// Captured on a host with version 1 and on one with version 2.
const V1 = "8:pids:/docker/abc\n4:memory:/docker/abc\n2:cpuacct,cpu:/docker/abc\n0::/system.slice/containerd.service\n";
const V2 = "0::/system.slice/docker-abc.scope\n";

test("the accounting is found in both versions", () => {
  expect(parseCgroupPlace(V1)).toEqual({ version: 1, cpu: "/docker/abc", memory: "/docker/abc", blkio: null });
  const place = "/system.slice/docker-abc.scope";
  expect(parseCgroupPlace(V2)).toEqual({ version: 2, cpu: place, memory: place, blkio: place });
  expect(parseCgroupPlace("")).toBeNull();
});

test("tables are read by whole keys", () => {
  const stat = "cache 9\ninactive_file 10\ntotal_inactive_file 20\n";
  expect(statValue(stat, "inactive_file")).toBe(10);
  expect(statValue(stat, "total_inactive_file")).toBe(20);
  expect(statValue(stat, "none")).toBe(0);
});

test("traffic leaves loopback out", () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo:     500       5    0    0    0     0          0         0      500       5    0    0    0     0       0          0
  eth0:    1166      15    0    0    0     0          0         0      200       3    0    0    0     0       0          0
  eth1:      34       1    0    0    0     0          0         0       10       1    0    0    0     0       0          0`;
  expect(parseNetworkUse(text)).toEqual({ rx_bytes: 1200, tx_bytes: 210 });
});

test("this very process can be measured; one that is gone cannot", () => {
  const meter = openContainer(process.pid);
  expect(meter?.read()?.memory_bytes).toBeGreaterThan(0);
  meter?.close();
  expect(openContainer(2 ** 22 + 1)).toBeNull();
});
