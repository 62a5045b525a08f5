import { afterEach, describe, expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { createFakeClock } from "../../../tests/kit/fake-clock.ts";
import { until } from "../../../tests/kit/until.ts";
import { openPortSockets } from "../host/port-sockets.ts";
import { capConnections, limitsFor } from "./connection-caps.ts";

const open: { end(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.end();
});

/** A web server, and who comes to it from addresses of this machine and never finishes a request. */
function startPort() {
  const server = Bun.serve({ port: 0, hostname: "0.0.0.0", fetch: () => new Response("hello") });
  open.push({ end: () => void server.stop(true) });
  const port = server.port ?? 0;
  async function come(localAddress: string, count: number): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: "127.0.0.1", localAddress }));
    for (const socket of sockets) {
      open.push({ end: () => socket.destroy() });
      socket.on("error", () => {}).resume();
      // The kernel hands a connection over once it carries something, or after a second.
      socket.write("GET / HTTP/1.1\r\n");
    }
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    return sockets;
  }
  return { port, come };
}

function cap(port: number, limits: { max: number; maxOfNetwork: number }, exempt: readonly string[] = []) {
  const clock = createFakeClock();
  const warned: unknown[] = [];
  const sockets = openPortSockets();
  const stop = capConnections({
    clock,
    log: { warn: (_, fields) => warned.push(fields) },
    // Few are enough to be looked at here.
    sockets: { ...sockets, descriptors: () => 1_000 },
    port,
    limits,
    isExempt: (address) => exempt.includes(address),
  });
  open.push({ end: stop });
  return { clock, warned, held: () => sockets.list(port).length };
}

const isOpen = (socket: Socket) => !socket.destroyed && socket.readyState === "open";
const countOpen = (sockets: readonly Socket[]) => sockets.filter(isOpen).length;

describe("connections of a port", () => {
  test("of one network beyond its limit end, the newest first; those of others stay and are served", async () => {
    const { port, come } = startPort();
    const { clock, warned, held } = cap(port, { max: 100, maxOfNetwork: 8 });
    const old = await come("127.0.0.2", 6);
    const other = await come("127.0.0.3", 5);
    await until(() => held() === 11, { what: "all to be accepted" });
    await clock.advance(1_000);
    expect(warned).toEqual([]);
    const flood = await come("127.0.0.2", 30);
    await until(() => held() === 41, { what: "the flood to be accepted" });
    await clock.advance(1_000);
    await until(() => countOpen(flood) === 2, { what: "the flood to be cut" });
    expect([countOpen(old), countOpen(other)]).toEqual([6, 5]);
    expect(warned).toEqual([{ ended: 28, networks: 1, most_of: "127.0.0.2" }]);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("hello");
  });

  test("too many in all: the largest networks give way, the small ones keep theirs", async () => {
    const { port, come } = startPort();
    const { clock, held } = cap(port, { max: 24, maxOfNetwork: 20 });
    const crowds = await Promise.all([come("127.0.0.2", 18), come("127.0.0.3", 14), come("127.0.0.4", 4)]);
    await until(() => held() === 36, { what: "all to be accepted" });
    await clock.advance(1_000);
    await until(() => held() === 24, { what: "the rest to be gone" });
    await until(() => countOpen(crowds.flat()) === 24, { what: "their clients to know" });
    expect(crowds.map(countOpen)).toEqual([10, 10, 4]);
  });

  test("too many in all: many networks of one provider give way, not the one of another", async () => {
    const { port, come } = startPort();
    const { clock, warned, held } = cap(port, { max: 24, maxOfNetwork: 20 });
    const crowd = await Promise.all(Array.from({ length: 40 }, (_, at) => come(`127.1.0.${at + 1}`, 1)));
    const other = await come("127.2.0.1", 8);
    await until(() => held() === 48, { what: "all to be accepted" });
    await clock.advance(1_000);
    await until(() => held() === 24, { what: "the rest to be gone" });
    await until(() => countOpen([...crowd.flat(), ...other]) === 24, { what: "their clients to know" });
    expect(countOpen(other)).toBe(8);
    expect(warned).toEqual([expect.objectContaining({ ended: 24, networks: 24 })]);
  });

  test("a proxy stands for many people", async () => {
    const { port, come } = startPort();
    const { clock, held } = cap(port, { max: 10, maxOfNetwork: 3 }, ["127.0.0.9"]);
    const proxied = await come("127.0.0.9", 12);
    const alone = await come("127.0.0.2", 5);
    await until(() => held() === 17, { what: "all to be accepted" });
    await clock.advance(1_000);
    await until(() => countOpen(alone) === 3, { what: "the rest to be gone" });
    expect(countOpen(proxied)).toBe(12);
  });

  test("a look that fails for want of a descriptor is told and tried again", async () => {
    const clock = createFakeClock();
    const warned: string[] = [];
    let looks = 0;
    const descriptors = (): number => {
      looks += 1;
      throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    };
    const sockets = { ...openPortSockets(), descriptors };
    const limits = { max: 1, maxOfNetwork: 1 };
    const log = { warn: (text: string) => void warned.push(text) };
    open.push({ end: capConnections({ clock, log, sockets, port: 1, limits, isExempt: () => false }) });
    await clock.advance(3_000);
    expect(looks).toBeGreaterThan(1);
    expect(warned).toHaveLength(looks);
  });

  test("limits leave descriptors for files", () => {
    expect(limitsFor(65_536)).toEqual({ max: 32_768, maxOfNetwork: 8_192 });
    expect(limitsFor(1_048_576)).toEqual({ max: 100_000, maxOfNetwork: 20_000 });
    expect(limitsFor(1_024)).toEqual({ max: 512, maxOfNetwork: 128 });
  });
});
