import { expect, test } from "bun:test";
import fc from "fast-check";
import { createPullProgress } from "./pull-progress.ts";

const line = (id: string, status: string, current?: number, total?: number) => ({
  id,
  status,
  ...(total === undefined ? {} : { progressDetail: { current: current ?? 0, total } }),
});

test("layers that wait for their turn count as average ones", () => {
  const progress = createPullProgress();
  progress.add({ id: "1", status: "Pulling from library/x" });
  for (const id of ["a", "b", "c", "d"]) progress.add(line(id, "Pulling fs layer"));
  expect(progress.add(line("a", "Waiting")).percent).toBeNull();
  // 80 of an expected 400: the last fifth of a layer's work is unpacking.
  expect(progress.add(line("a", "Downloading", 100, 100))).toEqual({ percent: 20, bytes_done: 100, bytes_total: 100 });
});

test("a whole pull runs from nothing to 100 and ends there", () => {
  const progress = createPullProgress();
  for (const id of ["a", "b"]) progress.add(line(id, "Pulling fs layer"));
  expect(progress.add(line("a", "Downloading", 50, 100)).percent).toBe(20);
  expect(progress.add(line("b", "Downloading", 100, 300))).toEqual({ percent: 30, bytes_done: 150, bytes_total: 400 });
  progress.add(line("a", "Download complete"));
  progress.add(line("b", "Download complete"));
  // Downloaded, not yet unpacked.
  expect(progress.add(line("a", "Extracting", 10, 100)).percent).toBe(80);
  progress.add(line("a", "Pull complete"));
  expect(progress.add(line("b", "Pull complete"))).toEqual({ percent: 100, bytes_done: 400, bytes_total: 400 });
});

test("percent never goes backwards and stays between 0 and 100, whatever comes in which order", () => {
  const anyLine = fc.record({
    id: fc.constantFrom("a", "b", "c"),
    status: fc.constantFrom(
      "Pulling fs layer",
      "Waiting",
      "Downloading",
      "Download complete",
      "Extracting",
      "Pull complete",
      "Already exists",
    ),
    progressDetail: fc.record({ current: fc.nat(2000), total: fc.nat(1000) }),
  });
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 80 }), (lines) => {
      const progress = createPullProgress();
      let last = 0;
      for (const item of lines) {
        const { percent, bytes_done, bytes_total } = progress.add(item);
        expect(bytes_done).toBeLessThanOrEqual(bytes_total);
        if (percent === null) continue;
        expect(percent).toBeGreaterThanOrEqual(last);
        expect(percent).toBeLessThanOrEqual(100);
        last = percent;
      }
    }),
  );
});
