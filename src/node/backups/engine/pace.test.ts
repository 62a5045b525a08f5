import { expect, test } from "bun:test";
import { createServer } from "node:http";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { makeScratch } from "../../../../tests/kit/scratch.ts";
import { createHttpClient } from "./http-client.ts";
import { openLocalFolder } from "./local-folder.ts";
import { createPace, type Pace } from "./pace.ts";

const MB = 1_000_000;

test("no more travels in a second than may, whoever asks, and a pause saves up a quarter of one", async () => {
  const clock = createFakeClock();
  const pace = createPace(MB, clock);
  let passed = 0;
  for (let count = 0; count < 20; count += 1) void pace(100_000).then(() => (passed += 100_000));
  await clock.advance(0);
  expect(passed).toBe(0);
  await clock.advance(1000);
  expect(passed).toBe(MB);
  await clock.advance(61_000);
  expect(passed).toBe(2 * MB);
  for (let count = 0; count < 20; count += 1) void pace(100_000).then(() => (passed += 100_000));
  await clock.advance(0);
  expect(passed).toBe(2.2 * MB);
});

/** A pace that lets everything pass and notes what did. */
function noted(): { pace: Pace; pieces: number[] } {
  const pieces: number[] = [];
  return { pieces, pace: async (bytes) => void pieces.push(bytes) };
}

test("a folder and a server are written to and read from in pieces that wait for their turn", async () => {
  const bytes = new Uint8Array(200_000).fill(7);
  const sum = (all: number[]) => all.reduce((left, right) => left + right, 0);
  const local = noted();
  const folder = openLocalFolder(makeScratch("paced"), local.pace);
  await folder.write("probes/a", bytes);
  expect(sum(local.pieces)).toBe(bytes.length);
  expect(Math.max(...local.pieces)).toBeLessThanOrEqual(65_536);
  expect(await folder.read("probes/a")).toEqual(bytes);
  expect(sum(local.pieces)).toBe(2 * bytes.length);

  const server = createServer(async (request, reply) => {
    const got: Uint8Array[] = [];
    for await (const piece of request) got.push(piece);
    reply.end(Buffer.concat(got));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  try {
    const far = noted();
    const client = createHttpClient(createFakeClock(), [], [], far.pace);
    const { body } = await client.send({ method: "PUT", url: `http://127.0.0.1:${port}/x`, body: bytes });
    expect(body.equals(bytes)).toBe(true);
    expect(sum(far.pieces)).toBe(2 * bytes.length);
  } finally {
    server.close();
  }
});
