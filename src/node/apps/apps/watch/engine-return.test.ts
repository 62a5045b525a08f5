import { expect, test } from "bun:test";
import { endedAtStart, fellWithEngine } from "./engine-return.ts";

const START = Date.parse("2026-01-01T12:00:00Z");
const ended = (FinishedAt: string, Status = "exited") =>
  endedAtStart({ State: { Status, FinishedAt } } as Parameters<typeof endedAtStart>[0], START);

test.each([
  ["2026-01-01T12:00:09.123456789Z", true],
  ["2026-01-01T11:59:59Z", true],
  ["2026-01-01T11:59:50Z", false],
  ["2026-01-01T12:01:00Z", false],
  ["0001-01-01T00:00:00Z", false],
])("a container that ended at %s came down with the engine: %p", (at, expected) => {
  expect(ended(at)).toBe(expected);
});

test("one that runs did not", () => {
  expect(ended("2026-01-01T12:00:01Z", "running")).toBe(false);
});

type Down = { state?: string; exit?: number | null; isOneShot?: boolean; endedAt?: string };

/** Services that the node sees after the engine's return; what ended with 0 or 143 counts as stopped, as it does to the watch. */
function fell(services: Down[], { sawItGo = true, known = true, status = "running" } = {}) {
  const seen = services.map(({ state = "exited", exit = 143, isOneShot = false }, index) => ({
    now: { state, exit_code: exit, container_id: `c${index}` },
    observed: { isOneShot, wasStopped: exit === 0 || exit === 143 },
  }));
  const own = { config: { docker_socket: "/run/docker.sock" }, host: { startOf: () => (known ? START : null) } };
  const engine = {
    inspectContainer: async (id: string) => {
      const { state = "exited", endedAt = "2026-01-01T12:00:05Z" } = services[Number(id.slice(1))] ?? {};
      return { State: { Status: state, FinishedAt: endedAt } };
    },
  };
  return fellWithEngine(...([own, engine, { status }, seen, sawItGo] as unknown as Parameters<typeof fellWithEngine>));
}

const LONG_BEFORE = "2026-01-01T09:00:00Z";
const RUNS = { state: "running", exit: null };

test.each<[string, Down[], Parameters<typeof fell>[1], boolean]>([
  ["all ended in peace before the node's eyes", [{}, { exit: 0 }], { known: false }, true],
  ["one had to be killed", [{ exit: 137 }, {}], {}, true],
  ["one of two was stopped", [RUNS, {}], {}, true],
  ["one of two had ended long before", [RUNS, { exit: 1, endedAt: LONG_BEFORE }], {}, false],
  ["it crashed while nobody listened", [{ exit: 1, endedAt: LONG_BEFORE }], {}, false],
  ["somebody stopped it while the node was away", [{ endedAt: LONG_BEFORE }], { sawItGo: false }, false],
  ["it ended with the engine while the node was away", [{}], { sawItGo: false }, true],
  ["nobody knows when the engine began", [{}], { sawItGo: false, known: false }, false],
  ["somebody had stopped the app", [{}], { status: "stopped" }, false],
  ["it had failed before", [{}], { status: "error" }, false],
  ["what runs once has ended well", [RUNS, { exit: 0, isOneShot: true }], {}, false],
  ["all runs", [RUNS], {}, false],
])("%s", async (_, services, more, expected) => {
  expect(await fell(services, more)).toBe(expected);
});
