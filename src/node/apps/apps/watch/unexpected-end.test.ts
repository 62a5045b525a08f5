import { expect, test } from "bun:test";
import type { Death } from "../state.ts";
import type { SeenService } from "./observe-app.ts";
import { unexpectedEnd } from "./unexpected-end.ts";

const app = { id: "app_1", name: "blog" };

function seen(change: { isOneShot?: boolean; wasStopped?: boolean; restarts?: number; was?: number; other?: boolean }) {
  const row = {
    app_id: "app_1",
    name: "web",
    image: "x",
    container_id: "c1",
    state: "running",
    health: null,
    restarts: change.restarts ?? 0,
    exit_code: null,
    oom_killed: 0,
    started_at: null,
  };
  const service: SeenService = {
    before: { ...row, restarts: change.was ?? 0, container_id: change.other ? "c0" : "c1" },
    now: row,
    observed: {
      ...row,
      isOneShot: change.isOneShot ?? false,
      isSettling: false,
      loopEnds: null,
      wasStopped: change.wasStopped ?? false,
      failure: null,
    },
  };
  return service;
}

const died = (exit_code: number, is_oom = false) => new Map<string, Death>([["c1", { exit_code, is_oom, at: 0 }]]);

test("restarts count since the last look, also when the container is up again already", () => {
  expect(unexpectedEnd(app, seen({ was: 2, restarts: 5 }), died(3))).toEqual({
    app_id: "app_1",
    name: "blog",
    service: "web",
    restarts: 3,
    exit_code: 3,
    is_oom: false,
  });
  expect(unexpectedEnd(app, seen({ was: 7, restarts: 1, other: true }), died(3))?.restarts).toBe(1);
});

test("out of memory is told", () => {
  expect(unexpectedEnd(app, seen({}), died(137, true))).toMatchObject({ is_oom: true, exit_code: 137 });
});

test("what somebody stopped and what ended well is nothing to tell", () => {
  expect(unexpectedEnd(app, seen({ wasStopped: true }), died(143))).toBeNull();
  expect(unexpectedEnd(app, seen({ isOneShot: true }), died(0))).toBeNull();
  expect(unexpectedEnd(app, seen({ isOneShot: true }), died(1))).not.toBeNull();
});
