/** One forwarder that reads numbered lines and sends them, to be killed: `bun log-forwarder-child.ts DIR URL LINES BEGIN`, where BEGIN is the time of the first line in epoch ms. */
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { openLineBuffer } from "../../src/node/monitoring/log-forwarders/buffer/line-buffer.ts";
import { startDrain } from "../../src/node/monitoring/log-forwarders/pump/drain.ts";
import type { FollowedLine, Since } from "../../src/node/monitoring/log-forwarders/pump/followed.ts";
import { readOn } from "../../src/node/monitoring/log-forwarders/pump/reader.ts";
import { openReadingPlace } from "../../src/node/monitoring/log-forwarders/pump/reading-place.ts";
import { createSender } from "../../src/node/monitoring/log-forwarders/senders/index.ts";

const [folder = "", url = "", count = "0", begin = "0"] = process.argv.slice(2);
const lines = Number(count);
const from = "docker:numbers";
const stop = new AbortController();

/** A log that holds all its lines from the first moment on; each two have the same time. */
async function* follow(since: Since): AsyncIterable<FollowedLine> {
  const beginning = typeof since === "string" ? "" : (since[from] ?? "");
  for (let number = 0; number < lines; number++) {
    const at = new Date(Number(begin) + Math.floor(number / 2)).toISOString().replace("Z", "000000Z");
    if (at < beginning) continue;
    if (number % 20 === 0) await Bun.sleep(1);
    yield { from, at, source: null, level: null, text: String(number) };
  }
  await systemClock.sleep(60_000, stop.signal);
}

const buffer = await openLineBuffer({ folder: join(folder, "lines"), limit: 1e8, onDrop: () => process.exit(3) });
const ports = { clock: systemClock, ownPorts: new Set<number>(), server: () => "home" };
const sender = createSender(ports, { kind: "http", config: { url } }, null);
const told = () => {};
const drain = startDrain({
  clock: systemClock,
  random: Math.random,
  id: "x",
  buffer,
  sender,
  onTaken: told,
  onFailed: told,
});
process.stdout.write("ready\n");
await readOn({
  clock: systemClock,
  follow,
  place: openReadingPlace(join(folder, "place.json"), systemClock.now),
  async take(taken) {
    await buffer.append(
      taken.map(({ at, text }) => Buffer.from(JSON.stringify({ at, source: "n", level: null, text }))),
    );
    drain.wake();
  },
  sync: () => buffer.sync(),
  onBroken: () => process.exit(4),
  onUnkept: () => process.exit(4),
  signal: stop.signal,
});
