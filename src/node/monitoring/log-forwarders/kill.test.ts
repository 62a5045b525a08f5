import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHttpReceiver } from "../../../../tests/kit/log-receivers.ts";
import { until } from "../../../../tests/kit/until.ts";
import { systemClock } from "../../../lib/clock.ts";

const KILLS = 5;
const LINES = 6_000;
const folder = mkdtempSync(join(tmpdir(), "forwarder-kill-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("killed again and again while it reads and sends, it loses no line", async () => {
  const entry = new URL("../../../../tests/kit/log-forwarder-child.ts", import.meta.url).pathname;
  const built = await Bun.build({ entrypoints: [entry], target: "bun", outdir: join(folder, "program") });
  const seen = new Set<number>();
  const receiver = startHttpReceiver(({ json }) => {
    for (const { text } of json.lines) seen.add(Number(text));
    return new Response();
  });
  // What was written before the first life is none of its business, so the lines are of later.
  const firstAt = String(systemClock.now() + 60_000);
  const begin = () =>
    Bun.spawn([process.execPath, built.outputs[0]?.path ?? "", folder, receiver.url, String(LINES), firstAt], {
      stdout: "ignore",
      stderr: "inherit",
    });
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = begin();
    // Each life gets a part of the way: it is killed while lines are read, written down and sent.
    const goal = (LINES / (KILLS + 1)) * kill;
    await until(() => seen.size >= goal || child.exitCode !== null, { everyMs: 1 });
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await child.exited;
  }
  const last = begin();
  await until(() => seen.size === LINES, { everyMs: 10 });
  last.kill("SIGKILL");
  await last.exited;
  await receiver.stop();
}, 60_000);
