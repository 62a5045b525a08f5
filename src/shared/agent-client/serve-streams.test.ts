import { expect, test } from "bun:test";
import { STREAMS_MAX } from "../agent-protocol/index.ts";
import { createStreamServer } from "./serve-streams.ts";

function serveHeld() {
  const held: PromiseWithResolvers<void>[] = [];
  const said: { kind: string; stream: number; failure?: { code: string } | null }[] = [];
  const server = createStreamServer(
    {
      slow: () => {
        const run = Promise.withResolvers<void>();
        held.push(run);
        return run.promise;
      },
    },
    (text) => said.push(JSON.parse(text)),
  );
  return {
    ...{ held, said },
    open: (stream: number) => server.take({ kind: "open", stream, service: "slow", params: {}, credit: 1 }, 1),
    close: (stream: number) => server.take({ kind: "close", stream }, 1),
  };
}

test("what a panel opened and closed counts until what it began is through", async () => {
  const { held, said, open, close } = serveHeld();
  for (let stream = 0; stream < STREAMS_MAX; stream += 1) {
    open(stream);
    close(stream);
  }
  open(100);
  expect(held).toHaveLength(STREAMS_MAX);
  expect(said.at(-1)).toEqual({
    kind: "close",
    stream: 100,
    failure: expect.objectContaining({ code: "streams_full" }),
  });
  held[0]?.resolve();
  await held[0]?.promise;
  await Promise.resolve();
  open(101);
  expect(held).toHaveLength(STREAMS_MAX + 1);
});

test("a stream that takes the number of one that was closed is not ended by the end of that one", async () => {
  const { held, said, open, close } = serveHeld();
  open(1);
  close(1);
  open(1);
  const before = said.length;
  held[0]?.resolve();
  await held[0]?.promise;
  await Promise.resolve();
  expect(said).toHaveLength(before);
});
