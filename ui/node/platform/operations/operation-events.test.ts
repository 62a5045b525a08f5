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

test("a pull that waits says so until it has its place, and names its image until it is here", () => {
  const step = (seq: number, more: object) => ({ seq, type: "step", step: "pull", status: "running", ...more });
  let view = freshOperation;
  const seen = [
    step(1, { text: "Waits", image: "web:1" }),
    step(2, { text: null, image: "web:1" }),
    step(3, { text: null, bytes_done: 1, bytes_total: 4 }),
  ].map((event) => {
    view = applyOperationEvent(view, event);
    return view.steps[0];
  });
  expect(seen.map((each) => [each?.text, each?.image])).toEqual([
    ["Waits", "web:1"],
    [null, "web:1"],
    [null, "web:1"],
  ]);
});
