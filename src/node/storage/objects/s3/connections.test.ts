import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { openS3Node } from "../../../../../tests/kit/s3-node.ts";
import { until } from "../../../../../tests/kit/until.ts";
import { MAX_OF_NETWORK } from "./connections.ts";

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

test("what comes through a trusted proxy counts by connection: it stands for many people", async () => {
  const s3 = await openS3Node(["open-door"], { trusted_proxies: "127.0.0.3" });
  const many = await come(s3.url, "127.0.0.3", MAX_OF_NETWORK + 50);
  expect((await fetch(`${s3.url}/open-door`)).status).toBe(FOR_KEYS);
  expect(countOpen(many)).toBe(MAX_OF_NETWORK + 50);
  for (const socket of many) socket.destroy();
  await s3.close();
});
