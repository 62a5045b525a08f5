import { expect, test } from "bun:test";
import { type ObservedService, observe } from "./observe.ts";

const service = (name: string, more: Partial<ObservedService> = {}): ObservedService => ({
  name,
  state: "running",
  health: null,
  restarts: 0,
  exit_code: null,
  isOneShot: false,
  isSettling: false,
  loopEnds: null,
  wasStopped: false,
  failure: null,
  ...more,
});
const crash = {
  state: "exited",
  exit_code: 3,
  failure: { code: "x", cause: "db ended with exit code 3.", next_step: "Look." },
};

test.each<[string, ObservedService[], string, string | null]>([
  ["all run", [service("web"), service("db", { health: "healthy" })], "saw_running", null],
  [
    "a finished one-shot is no loss",
    [service("web"), service("init", { isOneShot: true, state: "exited", exit_code: 0 })],
    "saw_running",
    null,
  ],
  [
    "a failed one-shot is",
    [service("web"), service("init", { ...crash, isOneShot: true })],
    "saw_degraded",
    "db ended",
  ],
  ["one of two crashed", [service("web"), service("db", crash)], "saw_degraded", "db ended with exit code 3"],
  ["the only one crashed", [service("db", crash)], "saw_error", "db ended with exit code 3"],
  ["unhealthy", [service("web", { health: "unhealthy" })], "saw_degraded", "health check fails"],
  ["restarting", [service("web", { state: "restarting", restarts: 4, exit_code: 1 })], "saw_degraded", "4 times"],
  [
    "up again after a fall, for a moment",
    [service("web", { restarts: 2, isSettling: true })],
    "saw_degraded",
    "2 times",
  ],
  [
    "stopped by hand",
    [service("web", { state: "exited", exit_code: 137, wasStopped: true })],
    "saw_stopped",
    "outside",
  ],
  ["ended by itself without an error", [service("web", { state: "exited", exit_code: 0 })], "saw_stopped", "outside"],
  ["removed by hand", [service("web", { state: "missing" })], "saw_error", "was removed"],
  ["paused by hand", [service("web", { state: "paused" })], "saw_degraded", "is paused"],
])("%s", (_, services, trigger, cause) => {
  const seen = observe(services);
  expect(seen.trigger).toBe(trigger as never);
  if (cause === null) expect(seen.cause).toBeNull();
  else expect(seen.cause).toContain(cause);
});

test("a loop is told of with its count, also between two ends, and starting it again is not the advice", () => {
  const failure = { code: "service_exited", cause: "web ended with exit code 3.", next_step: "Start it again." };
  const found = observe([service("web", { state: "running", restarts: 4, loopEnds: 3, failure })]);
  expect(found.trigger).toBe("saw_degraded");
  expect(found.cause).toBe("web keeps crashing: it ended 3 times within 10 minutes. web ended with exit code 3.");
  expect(found.next_step).toContain("stop it until then");
});

test("a loop for want of memory names the limit, and that Docker waits", () => {
  const failure = { code: "out_of_memory", cause: "web needed more.", next_step: "Raise the limit." };
  const found = observe([service("web", { state: "restarting", restarts: 9, loopEnds: 9, failure })]);
  expect(found.next_step).toBe("Raise the limit.");
  expect(found.cause).toContain("Docker waits longer before every start");
});
