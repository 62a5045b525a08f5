import { afterEach, beforeEach, expect, test } from "bun:test";
import { createAgentPanel } from "../../../tests/kit/agent-panel.ts";
import { systemClock } from "../../lib/clock.ts";
import { fetchPinnedRoot } from "./index.ts";

let panel: Awaited<ReturnType<typeof createAgentPanel>>;
beforeEach(async () => {
  panel = await createAgentPanel();
});
afterEach(() => panel.listener.stop());

const read = (host: string) =>
  fetchPinnedRoot(systemClock, { host, port: panel.port }, panel.authority.pin(), 20_000).then(
    () => "found",
    (error: Error) => error.message,
  );

// A name that the system's own call may not know, and ours does: it tells which of them was asked.
test("the panel's name is looked up before a connection, not by it", async () => {
  expect(await read("panel.localhost")).toBe("found");
  expect(await read("no..name")).toBe(
    `The panel at https://no..name:${panel.port} cannot be reached: its name is not known.`,
  );
});
