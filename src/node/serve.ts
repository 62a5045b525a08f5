import type { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { closeDatabase } from "../kernel/db/open.ts";
import { embedRoot } from "../kernel/embed.ts";
import { giveBackWhenQuiet } from "../kernel/give-back.ts";
import { openPortSockets } from "../kernel/host/port-sockets.ts";
import { forgetProgramText } from "../kernel/host/program-text.ts";
import { capConnections } from "../kernel/http/connection-caps.ts";
import { isTrusted } from "../kernel/http/trusted-proxies.ts";
import { createLineWriter } from "../kernel/line-writer.ts";
import { createLog, type Log } from "../kernel/log.ts";
import { lockFolder } from "../kernel/service/folder-lock.ts";
import { createNotifier } from "../kernel/service/notify.ts";
import { openReserve } from "../kernel/service/reserve.ts";
import { nextSignal, shutDown } from "../kernel/service/shutdown.ts";
import { VERSION } from "../kernel/version.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { systemRandom } from "../lib/random.ts";
import { buildNode } from "./app.ts";
import type { NodeConfig } from "./config.ts";
import { openData } from "./open-data.ts";

const STARTED_FULL = "the disk with the data is full: started with what was kept back for that; free some space";
/** Quiet lines wait this long for others; a kill -9 loses no more of the log than that. */
const LOG_DELAY_MS = 10;

/**
 * Runs the node until SIGTERM or SIGINT. Prints one JSON line `listening` with the URL once it answers. Throws
 * when the port is taken or another process uses the data folder.
 */
export async function serve(given: NodeConfig, print: (line: string) => void): Promise<void> {
  const config = { ...given, data_dir: resolve(given.data_dir) };
  const clock = systemClock;
  const lines = createLineWriter(print, (flush) => void clock.after(LOG_DELAY_MS, flush));
  process.once("exit", lines.flush);
  const log = createLog(clock, config.log_level, lines.write);
  const stopping = new AbortController();
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 });
  lockFolder(config.data_dir);
  const reserve = openReserve(config.data_dir);
  const { seriesLost, ...data } = openData(config.data_dir, clock);
  if (seriesLost !== null) {
    const kept = "metrics.db.set-aside";
    log.error("history of metrics was unusable and begins anew", { reason: seriesLost, kept });
  }
  const { app, node, requests } = buildNode({
    config,
    clock,
    log,
    version: VERSION,
    embedRoot: embedRoot("node"),
    ids: createIds(clock.now),
    random: systemRandom,
    signal: stopping.signal,
    ...data,
  });
  const { parts } = node;
  // Elysia asks for a shared port by default: a second program on it would get half of the requests without a word.
  app.listen({
    hostname: config.listen.host.replace(/^\[|\]$/g, ""),
    port: config.listen.port,
    reusePort: false,
  });
  if (app.server?.port !== undefined) {
    node.ownPorts.add(app.server.port);
    node.listening.port = app.server.port;
    const isExempt = (address: string) => isTrusted(config.trusted_proxies, address);
    capConnections({ clock, log, sockets: openPortSockets(), port: app.server.port, isExempt });
  }
  for (const part of parts) await part.start?.();
  node.jobs.add(
    giveBackWhenQuiet(requests, () => {
      Bun.shrink();
      forgetProgramText();
    }),
  );
  node.jobs.start(stopping.signal);
  reserve.keep();
  if (reserve.isGivenUp) log.error(STARTED_FULL);

  // Before anybody is told that we listen: who hears it may ask us to stop at once.
  const ended = nextSignal();
  const notifier = createNotifier(clock);
  notifier.ready(() => canRead(log, data.mainDb));
  // Whoever started the program waits for this line, however little is logged.
  createLog(clock, "info", print).info("listening", {
    url: `http://${config.listen.host}:${app.server?.port}`,
    version: VERSION,
  });

  const cause = await ended;
  log.info("stopping", { signal: cause });
  notifier.stopping();
  await shutDown(clock, log, [
    { name: "refuse new connections", run: () => void app.server?.stop(false) },
    { name: "end streams and jobs", run: () => stopping.abort() },
    { name: "drain jobs", run: () => node.jobs.drained() },
    ...parts.toReversed().map((part) => ({ name: `stop ${part.feature.name}`, run: () => part.stop?.() })),
    { name: "deliver events", run: () => node.bus.idle() },
    { name: "close connections", run: () => app.server?.stop(true) },
    { name: "close series database", run: () => closeDatabase(data.metricsDb) },
    { name: "close main database", run: () => closeDatabase(data.mainDb) },
  ]);
}

/** True when the database answers a read of its file; what it says otherwise is in the log. */
function canRead(log: Log, db: Database): boolean {
  try {
    return db.query("SELECT count(*) FROM migrations").get() !== null;
  } catch (error) {
    log.error("database does not answer", { error });
    return false;
  }
}
