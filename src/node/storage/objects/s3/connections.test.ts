import { expect, spyOn, test } from "bun:test";
import { EventEmitter, once } from "node:events";
import { Agent, get, type ServerResponse } from "node:http";
import { connect, Socket } from "node:net";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { openS3Node } from "../../../../../tests/kit/s3-node.ts";
import type { LastingRequest } from "../../../../../tests/kit/signed-calls.ts";
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
  const sockets: Socket[] = [];
  // Some at a time: of a thousand at once the system holds a few that it hands to no program.
  for (let no = 0; no < count; no++) {
    sockets.push(
      connect({ host: hostname, port: Number(port), localAddress: `127.10.${no >> 6}.${(no & 63) + 1}` })
        .on("error", () => {})
        .resume(),
    );
    if (no % 100 === 99)
      await until(() => sockets.every((socket) => !socket.connecting), { what: "them to have come" });
  }
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

const PROXY = "10.9.9.9";
/** The port's connections without a port, and requests for what is large as they come. */
function openDoor() {
  const clock = createFakeClock();
  const connections = createConnections({ clock, config: { trusted_proxies: [PROXY] } as never });
  const greet = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress }).on("error", () => {});
    connections.greet(socket);
    return socket;
  };
  return {
    clock,
    connections,
    greet,
    /** One of a key, or of whoever a proxy says. */
    read(socket: Socket, { accessKey = null, client }: { accessKey?: string | null; client?: string } = {}) {
      if (accessKey !== null) connections.prove(socket, accessKey);
      const headers = client === undefined ? {} : { "x-forwarded-for": client };
      const response = new EventEmitter() as ServerResponse;
      // As an answer takes its connection with it.
      response.destroy = () => {
        socket.destroy();
        response.emit("close");
        return response;
      };
      return { socket, response, isLet: connections.letRead({ socket, headers }, response, accessKey) };
    },
    /** Connections of as many networks. */
    crowd(count: number, from: number): Socket[] {
      return Array.from({ length: count }, (_, no) => greet(`2001:db8:${(from + no).toString(16)}::1`));
    },
  };
}

test("who reads what is public is counted apart until the answer has left, and goes for nobody meanwhile", () => {
  const { connections, greet, read, crowd } = openDoor();
  const reader = greet("198.51.100.9");
  const { response } = read(reader);
  crowd(1_100, 0);
  expect(reader.destroyed).toBe(false);
  response.emit("close");
  expect(reader.destroyed).toBe(false);
  connections.prove(reader, "key");
  crowd(1_100, 2_000);
  expect(reader.destroyed).toBe(false);
});

test("large answers to strangers and to keys are bounded apart; who has most of them makes room for who has fewer", async () => {
  const { clock, connections, greet, read } = openDoor();
  const some = (count: number, addressOf: (no: number) => string, accessKey: string | null = null) =>
    Array.from({ length: count }, (_, no) => greet(addressOf(no)))
      .map((socket) => read(socket, { accessKey }))
      .filter(({ isLet }) => isLet);
  const office = some(70, () => "198.51.100.9");
  expect(office).toHaveLength(64);
  const site = some(200, (no) => `2001:db8:1:${no.toString(16)}::1`);
  expect(site).toHaveLength(96);
  expect(read(greet("192.0.2.1")).isLet).toBe(true);
  // A proxy says for whom it asks.
  expect(read(greet(PROXY), { client: "2001:db8:1:ffff::1" }).isLet).toBe(false);
  expect(read(greet(PROXY), { client: "192.0.2.2" }).isLet).toBe(true);
  expect(site.filter(({ socket }) => socket.destroyed)).toHaveLength(2);
  const ofKey = some(300, (no) => `10.0.0.${no % 250}`, "key");
  expect(ofKey).toHaveLength(256);
  expect(some(10, () => "10.1.0.1", "other key")).toHaveLength(10);
  expect(read(greet("198.51.100.9")).isLet).toBe(false);
  await clock.advance(minutes(1) + 1);
  // Of one network who takes nothing makes room, not who gets on.
  const [slow, quick] = office.slice(-2);
  for (const { socket, response } of office) if (socket !== slow?.socket) connections.hasTaken(response);
  expect(read(greet("198.51.100.9")).isLet).toBe(true);
  expect([slow?.socket.destroyed, quick?.socket.destroyed]).toEqual([true, false]);
  // One that is through makes room for the next, also on its connection.
  const [first] = ofKey.slice(-1);
  first?.response.emit("close");
  expect(read(first?.socket ?? greet(""), { accessKey: "key" }).isLet).toBe(true);
});

test("a large answer counts for who asked for it, whoever used the connection of a proxy before", () => {
  const { connections, greet, read } = openDoor();
  const kept = Array.from({ length: 300 }, () => greet(PROXY));
  for (const socket of kept) connections.prove(socket, "key");
  const letIn = (sockets: Socket[], who: Parameters<typeof read>[1]) =>
    sockets.map((socket) => read(socket, who)).filter(({ isLet }) => isLet);
  const ofStranger = letIn(kept.slice(0, 70), { client: "198.51.100.9" });
  expect(ofStranger).toHaveLength(64);
  for (const { response } of ofStranger) response.emit("close");
  const ofKey = letIn(kept, { accessKey: "key" });
  expect(ofKey).toHaveLength(256);
  // Another key has less and is let in, a stranger as well; each on a connection that was the first key's.
  expect(read(kept.at(-1) ?? greet(""), { accessKey: "other key" }).isLet).toBe(true);
  expect(ofKey.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
  expect(read(kept.at(-2) ?? greet(""), { client: "198.51.100.9" }).isLet).toBe(true);
});

test("a connection counts for the key that it brought last, and again after somebody read on it without one", () => {
  const { connections, greet, read, crowd } = openDoor();
  const come = (count: number, accessKey: string): Socket[] => {
    const sockets = Array.from({ length: count }, () => greet(PROXY));
    for (const socket of sockets) connections.prove(socket, accessKey);
    return sockets;
  };
  const [first = greet(""), ...ofKey] = come(200, "key");
  const ofOther = come(500, "key");
  for (const socket of ofOther) connections.prove(socket, "other key");
  const { isLet, response } = read(first, { client: "198.51.100.9" });
  expect(isLet).toBe(true);
  // As many as keys may have: the connection on which a stranger reads is none of theirs.
  const ofThird = come(301, "third key");
  const countGone = (sockets: readonly Socket[]) => sockets.filter(({ destroyed }) => destroyed).length;
  expect([ofKey, ofOther, ofThird].map(countGone)).toEqual([0, 0, 0]);
  response.emit("close");
  expect([ofKey, ofOther, ofThird].map(countGone)).toEqual([0, 1, 0]);
  crowd(1_100, 0);
  expect(first.destroyed).toBe(false);
});

test("the connection of an answer that had to make room takes nobody's place", async () => {
  const { clock, greet, read, crowd } = openDoor();
  const slow = Array.from({ length: 64 }, () => read(greet("198.51.100.9")));
  const waiting = crowd(1_000, 0);
  await clock.advance(minutes(1) + 1);
  expect(read(waiting[0] ?? greet(""), {}).isLet).toBe(true);
  const next = greet("198.51.100.9");
  const before = waiting.filter(({ destroyed }) => destroyed).length;
  expect(read(next).isLet).toBe(true);
  expect(slow.filter(({ socket }) => socket.destroyed)).toHaveLength(1);
  expect(waiting.filter(({ destroyed }) => destroyed)).toHaveLength(before);
});

test("a connection that has gone is let read nothing", () => {
  const { connections, greet, read } = openDoor();
  const gone = greet("198.51.100.9");
  gone.emit("close");
  expect([read(gone).isLet, read(gone, { accessKey: "key" }).isLet]).toEqual([false, false]);
  const left = Object.assign(new EventEmitter(), { destroyed: true }) as never as ServerResponse;
  expect(connections.letRead({ socket: greet("198.51.100.9"), headers: {} }, left, null)).toBe(false);
});

test("strangers who read through a proxy on connections that a key has used are bounded as strangers", async () => {
  const s3 = await openS3Node(["open-door"], { trusted_proxies: "127.0.0.1" });
  expect((await s3.s3("PUT", "open-door", { key: "large", body: "x".repeat(100_000) })).status).toBe(200);
  expect((await s3.s3("PUT", "open-door", { key: "small", body: "x" })).status).toBe(200);
  const { hostname, port } = new URL(s3.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 70, maxFreeSockets: 70 });
  const used = new Set<unknown>();
  const statuses: unknown[] = [];
  const ask = async ({ path, headers }: LastingRequest): Promise<void> => {
    const asked = get({ agent, hostname, port, path, headers });
    const [answer] = await once(asked, "response");
    used.add(asked.socket);
    statuses.push(answer.statusCode);
    await once(answer.resume(), "end");
  };
  const askOften = (count: number, request: LastingRequest) =>
    Promise.all(Array.from({ length: count }, () => ask(request)));
  await askOften(70, s3.s3.lasting("GET", "open-door", { key: "small" }));
  statuses.length = 0;
  // What is let in waits for its bytes.
  const { objectStore } = s3.node.ctx;
  const { open } = objectStore;
  const gate = Promise.withResolvers<void>();
  const opened = spyOn(objectStore, "open").mockImplementation(async (...what) => {
    await gate.promise;
    return await open(...what);
  });
  const isBegun = (count: number) => opened.mock.calls.length + statuses.length === count;
  const headers = { "x-forwarded-for": "198.51.100.9" };
  const ofStranger = askOften(70, { path: "/open-door/large", headers });
  await until(() => isBegun(70), { everyMs: 1, what: "all to be let in or refused" });
  expect(statuses).toEqual(Array(6).fill(503));
  const ofKey = ask(s3.s3.lasting("GET", "open-door", { key: "large" }));
  const ofOther = ask({ path: "/open-door/large", headers: { "x-forwarded-for": "192.0.2.1" } });
  await until(() => isBegun(72), { everyMs: 1, what: "the others to be let in or refused" });
  gate.resolve();
  await Promise.all([ofStranger, ofKey, ofOther]);
  expect(statuses.slice(6)).toEqual(Array(66).fill(200));
  expect(used.size).toBe(70);
  opened.mockRestore();
  agent.destroy();
  await s3.close();
});
