import { expect, test } from "bun:test";
import fc from "fast-check";
import { doClash, findHolder, placePorts, portKey, type TakenPort, type WantedPort } from "./ports.ts";

const port = (container: number, wanted: number | null = null): WantedPort => ({
  service: "web",
  container,
  protocol: "tcp",
  purpose: "Web",
  bind: "127.0.0.1",
  wanted,
  isFixed: false,
  isOnHost: false,
});
const LAN = "192.168.1.10";
const held = (key: string, address = "0.0.0.0"): TakenPort => {
  const [number, protocol = "tcp"] = key.split("/");
  return { address, port: Number(number), protocol };
};
const hosts = (ports: WantedPort[], taken: string[] = []) =>
  placePorts(
    ports,
    taken.map((key) => held(key)),
    LAN,
  ).map(({ host }) => host);

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

const dns = (more: Partial<WantedPort> = {}): WantedPort => ({
  ...port(53, 53),
  protocol: "udp",
  bind: "0.0.0.0",
  isFixed: true,
  isOnHost: false,
  ...more,
});
const place = (wanted: WantedPort, ...taken: TakenPort[]) => placePorts([wanted], taken, LAN)[0];

test("a port that can be no other is had beside a resolver of the server itself", () => {
  expect(place(dns())).toMatchObject({ host: 53, bind: "0.0.0.0" });
  expect(place(dns(), held("53/udp", "127.0.0.53"))).toMatchObject({ host: 53, bind: LAN });
  expect(place(dns(), held("53/udp", "127.0.0.53"), held("53/udp", "192.168.122.1"))).toMatchObject({ bind: LAN });
});

test("where another name server answers for everybody, the port stays where it is wanted and its holder is found", () => {
  for (const address of ["0.0.0.0", "::", LAN]) {
    const placed = place(dns(), held("53/udp", address));
    expect(placed).toMatchObject({ host: 53, bind: "0.0.0.0" });
    expect(placed && findHolder(placed, [held("53/udp", address)])).toMatchObject({ address });
  }
  // Without a network there is no other place.
  expect(placePorts([dns()], [held("53/udp", "127.0.0.53")], "127.0.0.1")[0]).toMatchObject({ bind: "0.0.0.0" });
});

test("what listens on the server itself goes to no other address, whoever has a part of the port", () => {
  expect(place(dns({ isOnHost: true }), held("53/udp", "127.0.0.53"))).toMatchObject({ host: 53, bind: "0.0.0.0" });
});

test.each([
  ["0.0.0.0", "127.0.0.53", true],
  ["192.168.1.10", "127.0.0.53", false],
  ["192.168.1.10", "0.0.0.0", true],
  ["192.168.1.10", "::", true],
  ["127.0.0.1", "127.0.0.1", true],
  ["0.0.0.0", "::1", false],
])("%s beside %s: %p", (bind, address, clashes) => {
  expect(doClash(bind, address)).toBe(clashes);
});
