import { expect, test } from "bun:test";
import { parseEvent } from "./system.ts";

// Captured from engine 20.10.
const DIE =
  '{"status":"die","id":"5c7f3b","from":"img","Type":"container","Action":"die","Actor":{"ID":"5c7f3b","Attributes":{"exitCode":"137","image":"img","name":"web","orrery.app":"app_1"}},"scope":"local","time":1795237842,"timeNano":1795237842325657132}';
const HEALTH =
  '{"status":"health_status: healthy","id":"5c7f3b","Type":"container","Action":"health_status: healthy","Actor":{"ID":"5c7f3b","Attributes":{"name":"web"}},"time":1795237842}';

test("events are reduced to what is looked at", () => {
  expect(parseEvent(DIE)).toMatchObject({
    type: "container",
    action: "die",
    id: "5c7f3b",
    at: 1795237842325,
    attributes: { exitCode: "137", "orrery.app": "app_1" },
  });
  expect(parseEvent(HEALTH)).toMatchObject({
    action: "health_status",
    at: 1795237842000,
    attributes: { detail: "healthy" },
  });
  expect(parseEvent("")).toBeNull();
});

test("an event that is cut off in the labels of its image still says which container did what", () => {
  const cut = DIE.slice(0, DIE.indexOf("app_1"));
  expect(parseEvent(cut)).toEqual({
    ...{ type: "container", action: "die", id: "5c7f3b", at: 0 },
    attributes: { detail: "" },
  });
  expect(parseEvent(cut.slice(0, 60))).toBeNull();
});
