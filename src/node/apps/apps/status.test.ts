import { expect, test } from "bun:test";
import fc from "fast-check";
import { APP_STATUSES, type AppStatus } from "./contract.ts";
import { APP_TRIGGERS, isBusy, nextStatus } from "./status.ts";

const anyTriggers = fc.array(fc.constantFrom(...APP_TRIGGERS), { maxLength: 60 });

function walk(triggers: readonly (typeof APP_TRIGGERS)[number][]): AppStatus[] {
  const path: AppStatus[] = ["installing"];
  for (const trigger of triggers)
    path.push(nextStatus(path.at(-1) ?? "installing", trigger) ?? path.at(-1) ?? "installing");
  return path;
}

test("whatever happens, an app is in a known status and can always be got rid of", () => {
  fc.assert(
    fc.property(anyTriggers, (triggers) => {
      for (const status of walk(triggers)) {
        expect(APP_STATUSES).toContain(status);
        expect(status === "uninstalling" || nextStatus(status, "uninstall") === "uninstalling").toBe(true);
      }
    }),
  );
});

test("what is seen at containers never disturbs work under way", () => {
  const seen = APP_TRIGGERS.filter((trigger) => trigger.startsWith("saw_"));
  for (const status of APP_STATUSES.filter(isBusy)) {
    expect([status, ...seen.map((trigger) => nextStatus(status, trigger))]).toEqual([status, null, null, null, null]);
  }
});

test("every work that can begin can end well and badly", () => {
  for (const status of ["installing", "starting", "stopping"] as const) {
    expect(nextStatus(status, "work_failed")).toBe("error");
    expect(nextStatus(status, "work_running") ?? nextStatus(status, "work_stopped")).not.toBeNull();
  }
});

test.each([
  ["stopped", "start", "starting"],
  ["running", "stop", "stopping"],
  ["running", "restart", "stopping"],
  ["degraded", "configure", "starting"],
  ["stopped", "configure", null],
  ["stopping", "work_starting", "starting"],
  ["error", "retry", "installing"],
  ["running", "saw_error", "error"],
  ["running", "start", null],
  ["stopped", "stop", null],
  ["installing", "start", null],
] as const)("%s + %s = %s", (status, trigger, expected) => {
  expect(nextStatus(status, trigger)).toBe(expected);
});
