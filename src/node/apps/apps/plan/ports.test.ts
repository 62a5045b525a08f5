import { expect, test } from "bun:test";
import fc from "fast-check";
import { placePorts, portKey, type WantedPort } from "./ports.ts";

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
