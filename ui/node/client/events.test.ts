import { expect, test } from "bun:test";
import { share } from "../../client/leader.ts";
import { setReactions, startEvents } from "./events.ts";

test("a feature hears of its own events, by name or by family, and of a stream that begins anew", () => {
  const heard: string[] = [];
  const hear = (what: string) => (data: unknown) => void heard.push(`${what} ${JSON.stringify(data)}`);
  setReactions([
    { onOpen: () => void heard.push("open") },
    { on: { "app.status": hear("status"), "alert.*": hear("alert") } },
  ]);
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const before = { document: globalThis.document, addEventListener: globalThis.addEventListener };
  Object.assign(globalThis, { document: page, addEventListener: page.addEventListener.bind(page) });
  const stop = startEvents();
  share("event:app.status", 1);
  share("event:app.removed", 2);
  share("event:alert.fired", 3);
  share("event:stream.open", null);
  share("event:reset", null);
  stop();
  share("event:app.status", 4);
  Object.assign(globalThis, before);
  setReactions([]);
  expect(heard).toEqual(["status 1", "alert 3", "open", "open"]);
});
