import { expect, test } from "bun:test";
import { systemClock } from "../../lib/clock.ts";
import { createConnections, openReply } from "./exchange.ts";
import { onNamed, reachNamed, within } from "./named-servers.ts";
import { parseTarget } from "./target.ts";

const namedAs = (...addresses: string[]) => ({ ...reachNamed([]), resolve: async () => addresses });

async function open(url: string, addresses: string[], patience = 10_000): Promise<number | undefined> {
  const target = parseTarget(url);
  return await within(systemClock, patience, target, (signal) =>
    onNamed(namedAs(...addresses), target, async (address) => {
      const way = { connections: createConnections(), ca: undefined, signal };
      const reply = await openReply(target, address, { method: "GET", url }, way);
      reply.destroy();
      return reply.statusCode;
    }),
  );
}

test("the next address of a server is asked where one takes no connections", async () => {
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(null, { status: 204 }) });
  expect(await open(`http://two.example:${server.port}/`, ["127.0.0.2", "127.0.0.1"])).toBe(204);
  await expect(open(`http://two.example:${server.port}/`, ["127.0.0.2", "127.0.0.3"])).rejects.toMatchObject({
    reason: "connect",
  });
});

test("nothing goes unencrypted over the public internet, and nothing to link-local addresses", async () => {
  await expect(open("http://public.example/", ["1.1.1.1"])).rejects.toMatchObject({ reason: "bad_url" });
  await expect(open("https://cloud.example/", ["169.254.169.254"])).rejects.toMatchObject({
    reason: "blocked_address",
  });
});

test("a server that does not answer in time is told as that", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  using server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => promise });
  await expect(open(`http://slow.example:${server.port}/`, ["127.0.0.1"], 20)).rejects.toMatchObject({
    reason: "timeout",
    message: `slow.example:${server.port} did not answer within 0.02 seconds.`,
  });
  resolve(new Response());
});
