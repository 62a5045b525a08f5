import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseSocketTable, placePorts, portKey, type WantedPort } from "./ports.ts";

const port = (container: number, wanted: number | null = null): WantedPort => ({
  service: "web",
  container,
  protocol: "tcp",
  purpose: "Web",
  bind: "127.0.0.1",
  wanted,
});
const hosts = (ports: WantedPort[], taken: string[] = []) => placePorts(ports, new Set(taken)).map(({ host }) => host);

test.each<[string, WantedPort[], string[], number[]]>([
  ["a port above 1023 keeps its number", [port(3000)], [], [3000]],
  ["a low port moves up by 8000", [port(80), port(443)], [], [8080, 8443]],
  ["the wanted port is respected", [port(80, 9000)], [], [9000]],
  ["a taken wanted port gives the next free one", [port(80, 9000)], ["9000/tcp", "9001/tcp"], [9002]],
  ["UDP does not take a TCP port", [port(5353)], ["5353/udp"], [5353]],
  ["two ports of one app never share a place", [port(80), port(8080)], [], [8080, 8081]],
  ["at the top it goes on from the bottom", [port(80, 65_535)], ["65535/tcp"], [1024]],
])("%s", (_, ports, taken, expected) => {
  expect(hosts(ports, taken)).toEqual(expected);
});

test("no place is ever taken or given twice", () => {
  const anyPort = fc.record({
    container: fc.integer({ min: 1, max: 65_535 }),
    wanted: fc.option(fc.integer({ min: 1, max: 65_535 })),
  });
  const anyTaken = fc.uniqueArray(fc.integer({ min: 1024, max: 9000 }), { maxLength: 200 });
  fc.assert(
    fc.property(fc.array(anyPort, { maxLength: 12 }), anyTaken, (wanted, takenPorts) => {
      const taken = new Set(takenPorts.map((number) => portKey(number, "tcp")));
      const placed = hosts(
        wanted.map(({ container, wanted: host }) => port(container, host)),
        [...taken],
      );
      expect(new Set(placed).size).toBe(placed.length);
      expect(placed.filter((host) => taken.has(portKey(host, "tcp")))).toEqual([]);
    }),
  );
});

test("a server without a free port says so", () => {
  const all = Array.from({ length: 65_535 }, (_, index) => portKey(index + 1, "tcp"));
  expect(() => hosts([port(80)], all)).toThrow("no free tcp port");
});

// Captured from /proc/net/tcp, /proc/net/tcp6 and /proc/net/udp.
const TCP = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:13BF 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1066 1 0 100 0 0 10 0
   1: 0100007F:13BF 0100007F:D2F4 06 00000000:00000000 03:00000A21 00000000     0        0 0 3 0`;
const TCP6 = `  sl  local_address                         remote_address                        st tx_queue
   0: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000`;
const UDP = `   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops
  133: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 1140 2 0 0`;

test("sockets are read from the kernel's tables", () => {
  expect(parseSocketTable(TCP, "tcp")).toEqual([5055]);
  expect(parseSocketTable(TCP6, "tcp")).toEqual([8080]);
  expect(parseSocketTable(UDP, "udp")).toEqual([68]);
  expect(parseSocketTable("", "tcp")).toEqual([]);
});
