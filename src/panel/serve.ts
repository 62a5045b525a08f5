import { mkdirSync } from "node:fs";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { embedRoot } from "../kernel/embed.ts";
import { openPortSockets } from "../kernel/host/port-sockets.ts";
import { capConnections } from "../kernel/http/connection-caps.ts";
import { isTrusted } from "../kernel/http/trusted-proxies.ts";
import { createLineWriter } from "../kernel/line-writer.ts";
import { createLog } from "../kernel/log.ts";
import { lockFolder } from "../kernel/service/folder-lock.ts";
import { createNotifier } from "../kernel/service/notify.ts";
import { openReserve } from "../kernel/service/reserve.ts";
import { nextSignal, shutDown } from "../kernel/service/shutdown.ts";
import { VERSION } from "../kernel/version.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { buildPanel } from "./app.ts";
import type { PanelConfig } from "./config.ts";
import { takeLease } from "./data/lease.ts";
import { openData } from "./open-data.ts";

const STARTED_FULL = "the disk with the data is full: started with what was kept back for that; free some space";
const LOST = "the right to the database was lost";

/**
 * Runs the panel until SIGTERM or SIGINT. Prints one JSON line `listening` with the URL once it answers. Throws when a
 * port is taken, another process uses the data folder, another panel the database, or that cannot be opened.
 */
export async function serve(given: PanelConfig, print: (line: string) => void): Promise<void> {
  const config = { ...given, data_dir: resolve(given.data_dir) };
  const clock = systemClock;
  const lines = createLineWriter(print);
  process.once("exit", lines.flush);
  const log = createLog(clock, config.log_level, lines.write);
  mkdirSync(config.data_dir, { recursive: true, mode: 0o700 });
  lockFolder(config.data_dir);
  const reserve = openReserve(config.data_dir);
  const ids = createIds(clock.now);
  const owner = `${hostname()}, process ${process.pid}`;
  const data = await openData(config, clock, (db) => takeLease({ db, clock, log, owner, holder: ids.next("run") }));
  const stopping = new AbortController();
  const { app, panel } = buildPanel({
    config,
    clock,
    log,
    version: VERSION,
    embedRoot: embedRoot("panel"),
    ids,
    signal: stopping.signal,
    ...data,
  });
  const { parts, jobs, health, nodes, agentPort } = panel;
  try {
    for (const part of parts) await part.start?.();
    // Elysia asks for a shared port by default: a second program on it would get half of the requests without a word.
    app.listen({ hostname: config.listen.host.replace(/^\[|\]$/g, ""), port: config.listen.port, reusePort: false });
    if (app.server?.port !== undefined) {
      const isExempt = (address: string) => isTrusted(config.trusted_proxies, address);
      capConnections({ clock, log, sockets: openPortSockets(), port: app.server.port, isExempt });
    }
  } catch (error) {
    await data.lease.release();
    throw error;
  }
  jobs.start(stopping.signal);
  reserve.keep();
  if (reserve.isGivenUp) log.error(STARTED_FULL);
  // Before anybody is told that we listen: who hears it may ask us to stop at once.
  const ended = Promise.race([nextSignal(), data.lease.lost.then(() => LOST)]);
  const notifier = createNotifier(clock);
  notifier.ready(health.isAlive);
  // Whoever started the program waits for this line, however little is logged.
  createLog(clock, "info", print).info("listening", {
    url: `http://${config.listen.host}:${app.server?.port}`,
    version: VERSION,
    database: data.db.engine,
    agent_port: agentPort.port(),
    agent_pin: nodes.authority().pin(),
  });

  const signal = await ended;
  log.info("stopping", { signal });
  notifier.stopping();
  stopping.abort();
  await shutDown(clock, log, [
    { name: "refuse new connections", run: () => void app.server?.stop(false) },
    { name: "close connections", run: () => app.server?.stop(true) },
    { name: "drain jobs", run: () => jobs.drained() },
    ...parts
      .toReversed()
      .flatMap(({ feature, stop }) => (stop ? [{ name: `stop ${feature.name}`, run: () => stop() }] : [])),
    { name: "close samples", run: () => (data.samplesDb === data.db ? undefined : data.samplesDb.close()) },
    { name: "give the database back", run: () => data.lease.release() },
    { name: "close database", run: () => data.db.close() },
  ]);
  if (signal === LOST) throw new Error("another panel took over the database while this one stood still");
}
