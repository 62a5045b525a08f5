import { expect, test } from "bun:test";
import { createFakeClock } from "../../../../../tests/kit/fake-clock.ts";
import { minutes } from "../../../../lib/duration.ts";
import type { PullLine } from "../../runtime/index.ts";
import { explainPull } from "../work/failure.ts";
import { pullSource } from "./pull-source.ts";

/** A pull whose engine says what the test wants, until it is given up. */
function startPull(isShared = false) {
  const clock = createFakeClock();
  let say: (line: PullLine) => void = () => {};
  let finish = () => {};
  const cancel = new AbortController();
  const engine = {
    pullImage: (_: string, { onLine, signal }: { onLine(line: PullLine): void; signal?: AbortSignal }) =>
      new Promise<void>((resolve, reject) => {
        say = onLine;
        finish = resolve;
        signal?.addEventListener("abort", () => reject(new Error("aborted")));
      }),
  };
  const op = { progress: () => {} };
  const end = pullSource(
    { clock, engine, op, signal: cancel.signal, isShared: () => isShared },
    "pull",
    "registry.test/image",
    null,
  ).then(
    () => "pulled",
    (error: Error) => error.message,
  );
  return { clock, end, say: (line: PullLine) => say(line), finish: () => finish() };
}

const downloading = (current: number) => ({
  ...{ id: "layer", status: "Downloading" },
  progressDetail: { current, total: 1_000_000 },
});

test("a registry that sends a byte now and then does not hold a pull", async () => {
  const pull = startPull();
  for (let byte = 1; byte <= 4; byte++) {
    pull.say(downloading(byte));
    await pull.clock.advance(minutes(1));
  }
  pull.finish();
  const message = await pull.end;
  expect(message).toBe("the registry sent less than 128 KB in 3 minutes");
  expect(explainPull("registry.test/image", message)).toMatchObject({ code: "registry_too_slow" });
});

const says = (id: string, status: string) => ({ id, status });

test("layers that only wait behind other downloads cost a pull no time", async () => {
  const pull = startPull();
  for (const id of ["one", "two"]) {
    pull.say(says(id, "Pulling fs layer"));
    pull.say(says(id, "Waiting"));
  }
  for (let minute = 1; minute <= 30; minute++) await pull.clock.advance(minutes(1));
  // From here on it is its own registry that has to send.
  pull.say({ ...downloading(1), id: "one" });
  await pull.clock.advance(minutes(2));
  pull.say({ ...downloading(200_000), id: "one" });
  pull.say(says("one", "Download complete"));
  for (let minute = 1; minute <= 5; minute++) await pull.clock.advance(minutes(1));
  pull.finish();
  expect(await pull.end).toBe("pulled");
});

test("a layer whose download has begun does not wait, while no other image is pulled here", async () => {
  for (const [isShared, end] of [
    [false, "the registry sent less than 128 KB in 3 minutes"],
    [true, "pulled"],
  ] as const) {
    const pull = startPull(isShared);
    pull.say(says("one", "Pulling fs layer"));
    pull.say(says("two", "Pulling fs layer"));
    pull.say(says("two", "Waiting"));
    for (let minute = 1; minute <= 5; minute++) await pull.clock.advance(minutes(1));
    pull.finish();
    expect(await pull.end).toBe(end);
  }
});

test("no pull waits for ever behind others", async () => {
  const pull = startPull(true);
  pull.say(says("one", "Waiting"));
  for (let minute = 1; minute <= 70; minute++) await pull.clock.advance(minutes(1));
  pull.finish();
  const message = await pull.end;
  expect(message).toBe("other downloads went before it for 60 minutes");
  expect(explainPull("registry.test/image", message)).toMatchObject({ code: "pull_failed" });
});

test("a slow line is waited for, and so is a disk that unpacks for long", async () => {
  const pull = startPull();
  for (let minute = 1; minute <= 6; minute++) {
    await pull.clock.advance(minutes(1));
    pull.say(downloading(minute * 70_000));
  }
  for (let minute = 1; minute <= 6; minute++) {
    await pull.clock.advance(minutes(1));
    pull.say({ id: "layer", status: "Extracting", progressDetail: { current: minute } });
  }
  pull.finish();
  expect(await pull.end).toBe("pulled");
});
