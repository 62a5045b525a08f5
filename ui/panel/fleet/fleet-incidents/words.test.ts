import { expect, test } from "bun:test";
import type { Incident } from "../../../../src/panel/fleet/fleet-incidents/contract.ts";
import { courseText } from "./words.ts";

const at = "2026-03-01T11:06:00.000Z";
const incident = (more: Partial<Incident>): Incident => ({
  ...{
    id: "inc_1",
    severity: "critical",
    rule: "heartbeat_missing",
    region: "eu",
    title: "web-1 is offline",
    nodes: 1,
  },
  ...{ link: null, since: at, opened_at: at, over_at: null, escalated_at: null, acknowledged: null, reopened: 0 },
  ...more,
});

test("an incident says that it is escalated while it is open, and how often it came back", () => {
  expect(courseText(incident({}))).toBe("");
  expect(courseText(incident({ escalated_at: at, reopened: 1 }))).toBe("escalated, came back once");
  expect(courseText(incident({ escalated_at: at, over_at: at, reopened: 2 }))).toBe("came back 2 times");
});
