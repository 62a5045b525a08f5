import { expect, test } from "bun:test";
import { EventEmitter, once } from "node:events";
import { Agent, get, type ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { openS3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { minutes } from "../../../../lib/duration.ts";
import { createConnections, MAX_OF_NETWORK } from "./connections.ts";

/** Connections of one address that ask for nothing. */
async function come(url: string, localAddress: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port), localAddress }));
  for (const socket of sockets) socket.on("error", () => {}).resume();
  await until(() => sockets.every((socket) => !socket.connecting), { what: "all to have come" });
  return sockets;
}
/** What an open bucket holds is listed for keys alone: an answer is what counts. */
const FOR_KEYS = 403;
const countOpen = (sockets: readonly Socket[]) => sockets.filter(({ readyState }) => readyState === "open").length;

test("an address that takes all the connections it can get leaves room for the others", async () => {
  const s3 = await openS3Node(["open-door"]);
  const greedy = await come(s3.url, "127.0.0.2", MAX_OF_NETWORK + 50);
  await until(() => countOpen(greedy) === MAX_OF_NETWORK, { what: "what is too much to end" });
  expect((await fetch(`${s3.url}/open-door`)).status).toBe(FOR_KEYS);
  // Who goes makes room for who comes.
  for (const socket of greedy) socket.destroy();
  await until(async () => countOpen(await come(s3.url, "127.0.0.2", 5)) === 5, { what: "room again" });
  await s3.close();
});

/** Connections of one provider, each of a network of its own. */
async function comeFromMany(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, (_, no) =>
    connect({ host: hostname, port: Number(port), localAddress: `127.10.${no >> 6}.${(no & 63) + 1}` }),
  );
  for (const socket of sockets) socket.on("error", () => {}).resume();
  await until(() => sockets.every((socket) => !socket.connecting), { what: "all to have come" });
  return sockets;
}

test("a thousand networks that ask for nothing leave room for the others, and what a key has opened stays open", async () => {
  const s3 = await openS3Node(["data"]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(s3.url);
  const connected: unknown[] = [];
  // The first connection is that of a key, the oldest of all; it comes from the site that makes room.
  const ask = async () => {
    const asked = get({ agent, hostname, port, ...s3.s3.lasting("GET", "data"), localAddress: "127.10.0.99" });
    const [answer] = await once(asked, "response");
    answer.resume();
    await once(answer, "end");
    connected.push(asked.socket);
    return answer.statusCode;
  };
  expect(await ask()).toBe(200);
  const many = await comeFromMany(s3.url, 1_100);
  await until(() => countOpen(many) === 1_000, { what: "what is too much to end" });
  for (let no = 0; no < 3; no++) expect((await fetch(`${s3.url}/data`)).status).toBe(FOR_KEYS);
  await until(() => countOpen(many) < 1_000, { what: "the largest site to make room" });
  expect(await ask()).toBe(200);
  expect(connected[1]).toBe(connected[0]);
  agent.destroy();
  for (const socket of many) socket.destroy();
  await s3.close();
});

test("what comes through a trusted proxy counts by connection: it stands for many people", async () => {
  const s3 = await openS3Node(["open-door"], { trusted_proxies: "127.0.0.3" });
  const many = await come(s3.url, "127.0.0.3", MAX_OF_NETWORK + 50);
  expect((await fetch(`${s3.url}/open-door`)).status).toBe(FOR_KEYS);
  expect(countOpen(many)).toBe(MAX_OF_NETWORK + 50);
  for (const socket of many) socket.destroy();
  await s3.close();
});

/** A connection that nobody is at the other end of. */
function madeSocket(remoteAddress: string): Socket {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
  return socket.on("error", () => {});
}

test("who reads what is public is counted apart until the answer has left, and goes for nobody meanwhile", () => {
  const clock = createFakeClock();
  const connections = createConnections({ clock, config: { trusted_proxies: [] } as never });
  const reader = madeSocket("198.51.100.9");
  const response = new EventEmitter() as ServerResponse;
  connections.greet(reader);
  connections.letRead({ socket: reader, headers: {} }, response);
  const crowd = (from: number) => {
    for (let no = from; no < from + 1_100; no++) {
      const socket = madeSocket(`2001:db8:${no.toString(16)}::1`);
      connections.greet(socket);
    }
  };
  crowd(0);
  expect(reader.destroyed).toBe(false);
  response.emit("close");
  expect(reader.destroyed).toBe(false);
  connections.prove(reader, "key");
  crowd(2_000);
  expect(reader.destroyed).toBe(false);
});

test("large answers to strangers and to keys are bounded apart; who has most of them makes room for who has fewer", async () => {
  const config = { trusted_proxies: ["10.9.9.9"] } as never;
  const clock = createFakeClock();
  const connections = createConnections({ clock, config });
  const read = (socket: Socket, headers = {}): { isLet: boolean; response: ServerResponse } => {
    const response = Object.assign(new EventEmitter(), {
      destroy: () => response.emit("close"),
    }) as never as ServerResponse;
    return { isLet: connections.letRead({ socket, headers }, response), response };
  };
  const greet = (address: string): Socket => {
    const socket = madeSocket(address);
    connections.greet(socket);
    return socket;
  };
  const some = (count: number, addressOf: (no: number) => string, key?: string) => {
    const all = Array.from({ length: count }, (_, no) => greet(addressOf(no)));
    if (key !== undefined) for (const socket of all) connections.prove(socket, key);
    return all.map((socket) => ({ socket, ...read(socket) })).filter(({ isLet }) => isLet);
  };
  const office = some(70, () => "198.51.100.9");
  expect(office).toHaveLength(64);
  const site = some(200, (no) => `2001:db8:1:${no.toString(16)}::1`);
  expect(site).toHaveLength(96);
  expect(read(greet("192.0.2.1")).isLet).toBe(true);
  // A proxy says for whom it asks.
  expect(read(greet("10.9.9.9"), { "x-forwarded-for": "2001:db8:1:ffff::1" }).isLet).toBe(false);
  expect(read(greet("10.9.9.9"), { "x-forwarded-for": "192.0.2.2" }).isLet).toBe(true);
  expect(site.filter(({ socket }) => socket.destroyed)).toHaveLength(2);
  const ofKey = some(300, (no) => `10.0.0.${no % 250}`, "key");
  expect(ofKey).toHaveLength(256);
  expect(some(10, () => "10.1.0.1", "other key")).toHaveLength(10);
  expect(read(greet("198.51.100.9")).isLet).toBe(false);
  await clock.advance(minutes(1) + 1);
  // Of one network who takes nothing makes room, not who gets on.
  const [slow, quick] = office.slice(-2);
  for (const { socket, response } of office) if (socket !== slow?.socket) connections.hasTaken(socket, response);
  expect(read(greet("198.51.100.9")).isLet).toBe(true);
  expect([slow?.socket.destroyed, quick?.socket.destroyed]).toEqual([true, false]);
  // One that is through makes room for the next, also on its connection.
  const [first] = ofKey.slice(-1);
  first?.response.emit("close");
  expect(read(first?.socket ?? madeSocket("")).isLet).toBe(true);
});
