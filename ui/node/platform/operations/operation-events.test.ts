import { expect, test } from "bun:test";
import { applyOperationEvent, freshOperation } from "./operation-events.ts";

test("an operation is rebuilt from its events, also when they repeat after a reconnect", () => {
  const time = "2026-01-01T00:00:01.000Z";
  const events = [
    {
      seq: 1,
      type: "plan",
      steps: [
        { step: "pull", title: "Download" },
        { step: "start", title: "Start" },
      ],
    },
    { seq: 2, type: "step", step: "pull", status: "running", bytes_done: 1, bytes_total: 4, time },
    { seq: 3, type: "log", text: "layer 1", time },
    { seq: 3, type: "log", text: "layer 1", time },
    { seq: 4, type: "step", step: "pull", status: "done", time },
    { seq: 5, type: "step", step: "start", status: "running", time },
    { seq: 6, type: "error", text: "Port 80 is taken", time },
    { seq: 7, type: "new-kind" },
  ];
  const view = events.reduce(applyOperationEvent, freshOperation);
  expect(view.status).toBe("failed");
  expect(view.error).toBe("Port 80 is taken");
  expect(view.steps.map((step) => step.status)).toEqual(["done", "failed"]);
  expect(view.log).toEqual([{ at: time, text: "layer 1" }]);
  expect(applyOperationEvent(freshOperation, null)).toBe(freshOperation);
});
