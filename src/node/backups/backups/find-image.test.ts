import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { createPullList } from "../../apps/apps/images/pull-list.ts";
import { EngineError } from "../../apps/runtime/index.ts";
import { AppFault } from "./app-fault.ts";
import { findImage } from "./find-image.ts";
import type { Own } from "./needs.ts";

/** Looks for an image that is not on this server; `answer` is what the engine says to a pull of it, which ends no sooner. */
function startSearch(answer: (signal: AbortSignal) => Promise<void>, pulls = createPullList(createFakeClock())) {
  const clock = createFakeClock();
  const node = new AbortController();
  let isHere = false;
  let begun = 0;
  const engine = {
    findImage: async () => (isHere ? { Id: "sha256:1" } : null),
    async pullImage(_: string, { signal }: { signal: AbortSignal }) {
      begun += 1;
      await answer(signal);
      isHere = true;
    },
  };
  const own = {
    ...{ clock, signal: node.signal },
    apps: { get: () => ({ name: "wiki" }), pulls },
    runtime: { requireEngine: () => engine },
  } as unknown as Own;
  const end = findImage(own, "app_wiki", ["wiki:1"]).catch((error: Error) => error);
  const turn = async () => {
    for (let at = 0; at < 50; at += 1) await Promise.resolve();
  };
  return { clock, pulls, node, end, turn, begun: () => begun };
}

const hangs = (signal: AbortSignal) =>
  new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))));

test("an image that is nowhere here is pulled once there is a place for it", async () => {
  const pulls = createPullList(createFakeClock());
  const others = ["a", "b", "c"].map((image) => {
    const wish = { image, by: null, signal: new AbortController().signal, onWait() {} };
    return pulls.run(wish, ({ signal }) => hangs(signal)).catch(() => {});
  });
  const search = startSearch(async () => {}, pulls);
  await search.turn();
  expect([search.begun(), pulls.has("wiki:1")]).toEqual([0, true]);
  for (const image of ["a", "b", "c"]) await pulls.cancel(image);
  await Promise.all(others);
  expect(await search.end).toBe("sha256:1");
});

test("a registry that sends nothing is a fault of the app", async () => {
  const search = startSearch(hangs);
  await search.turn();
  await search.clock.advance(minutes(4));
  const error = await search.end;
  expect(error).toBeInstanceOf(AppFault);
  expect(error).toMatchObject({
    message: "wiki:1 was not pulled: the registry sent less than 128 KB in 3 minutes.",
  });
});

test("a pull that somebody cancels is a fault of the app", async () => {
  const search = startSearch(hangs);
  await search.turn();
  search.pulls.cancel("wiki:1");
  const error = await search.end;
  expect(error).toBeInstanceOf(AppFault);
  expect(error).toMatchObject({
    message: "Its image wiki:1 had to be pulled. It was cancelled before the image was here.",
  });
});

test("what a registry refuses is a fault of the app; an engine that is gone, a full disk and the node's end are not", async () => {
  const say = (status: number, words: string) =>
    startSearch(async () => Promise.reject(new EngineError(status, words))).end;
  expect(await say(404, "manifest unknown")).toBeInstanceOf(AppFault);
  for (const other of [await say(0, "connection refused"), await say(500, "no space left on device")])
    expect(other).toBeInstanceOf(EngineError);
  const search = startSearch(hangs);
  await search.turn();
  search.node.abort(new Error("the node ends"));
  expect(await search.end).not.toBeInstanceOf(AppFault);
});
