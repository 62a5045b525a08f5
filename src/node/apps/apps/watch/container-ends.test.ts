import { expect, test } from "bun:test";
import type { Death } from "../state.ts";
import { createContainerEnds } from "./container-ends.ts";

type Said = [action: string, attributes?: Record<string, string>, at?: number];

/** What is known after these events; `oomKills` is what the kernel's counter moved by before the death. */
function hear(events: Said[], isKernelKill = false) {
  const deaths = new Map<string, Death>();
  const ends = createContainerEnds(deaths, { isOom: (code, wasKilled) => isKernelKill && code === 137 && !wasKilled });
  for (const [action, attributes = {}, at = 0] of events)
    ends.note({ type: "container", action, id: "c", attributes, at });
  return { wasStopped: ends.wasStopped("c"), isOom: deaths.get("c")?.is_oom ?? null };
}

const die = (exitCode: string, at = 0): Said => ["die", { exitCode }, at];
const kill = (signal: string, at = 0): Said => ["kill", { signal }, at];

test.each<[string, Said[], boolean]>([
  ["docker stop", [kill("15"), die("143"), ["stop"]], true],
  ["docker stop whose last word is late", [kill("15"), die("143")], true],
  ["docker stop that had to kill", [kill("15"), kill("9", 10_000), die("137", 10_000)], true],
  ["docker stop without a signal that we know", [kill("28"), die("0"), ["stop"]], true],
  ["docker kill", [kill("9"), die("137")], false],
  ["a reload long before a crash", [kill("15", 0), die("1", 300_000)], false],
  ["a crash", [die("3")], false],
  ["a stop, a start and a crash", [kill("15"), die("0"), ["stop"], ["start"], die("3")], false],
])("%s: stopped by somebody is %p", (_, events, expected) => {
  expect(hear(events).wasStopped).toBe(expected);
});

test.each<[string, Said[], boolean, boolean]>([
  ["the engine says so first", [["oom"], die("137")], false, true],
  ["the engine says so afterwards", [die("137"), ["oom"]], false, true],
  ["only the kernel counted it", [die("137")], true, true],
  ["somebody killed it while the kernel killed another", [kill("9"), die("137")], true, false],
  ["it ended by itself", [die("3")], true, false],
  ["an earlier run was killed", [["oom"], die("137"), ["start"], die("3")], false, false],
])("out of memory: %s", (_, events, isKernelKill, expected) => {
  expect(hear(events, isKernelKill).isOom).toBe(expected);
});

test("nothing is remembered of a removed container", () => {
  expect(hear([kill("15"), die("143"), ["stop"], ["destroy"]])).toEqual({ wasStopped: false, isOom: null });
});
