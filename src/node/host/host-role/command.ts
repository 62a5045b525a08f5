import { fstatSync } from "node:fs";
import { createLog } from "../../../kernel/log.ts";
import { type Command, EXIT, UsageError } from "../../../kernel/service/cli.ts";
import { nextSignal } from "../../../kernel/service/shutdown.ts";
import { VERSION } from "../../../kernel/version.ts";
import { systemClock } from "../../../lib/clock.ts";
import { seconds } from "../../../lib/duration.ts";
import { createIds } from "../../../lib/ids.ts";
import { nodeConfigTable } from "../../config.ts";
import { createHost } from "../../machine/index.ts";
import { createAnswerVerb } from "./answer-verb.ts";
import { openAuditFile } from "./audit-file.ts";
import { createHostServer, IDLE_MS } from "./host-server.ts";

/** Where systemd puts the first socket that it hands over. */
const GIVEN_SOCKET = 3;
const DOCKER = nodeConfigTable.docker_socket.default;
/** Where the unit lets it keep its record. */
export const AUDIT_FILE = "/var/log/orrery-host/audit.jsonl";

/** `host`: the role that may touch the open host. systemd starts it when the node asks it something. */
export function createHostCommand(): Command {
  return {
    name: "host",
    summary: "Answer the node's questions to the host; systemd starts it when there are any (orrery-host.socket)",
    options: {
      audit: { type: "string", value: "FILE", doc: `Where it records what it does, instead of ${AUDIT_FILE}` },
      docker: { type: "string", value: "PATH", doc: `Socket of Docker's engine, instead of ${DOCKER}` },
      idle: { type: "string", value: "SECONDS", doc: "It leaves when nobody has asked for so long; 300 unless set" },
      socket: { type: "string", value: "PATH", doc: "Listen there instead of on the socket that systemd hands over" },
    },
    async run(options, print) {
      const path = options.text("socket");
      if (path === undefined && !isSocket(GIVEN_SOCKET))
        throw new UsageError("systemd starts this by orrery-host.socket; to try it by hand, name a --socket");
      const clock = systemClock;
      const log = createLog(clock, "info", print);
      const audit = openAuditFile(options.text("audit") ?? AUDIT_FILE, clock);
      const host = createHost(clock, "/", new AbortController().signal);
      const docker = options.text("docker") ?? DOCKER;
      const answer = createAnswerVerb({ audit, clock, docker, host, ids: createIds(clock.now), log });
      const server = createHostServer({ answer, clock, log, version: VERSION, idleMs: readIdle(options.text("idle")) });
      // Only root may ask, also where the folder lets others in. What packages make is not kept from others.
      const mask = process.umask(0o177);
      await server.listen(path === undefined ? { fd: GIVEN_SOCKET } : { path });
      process.umask(mask);
      log.info("host role listens", { version: VERSION });
      void nextSignal().then(server.leave);
      await server.left;
      log.info("host role leaves");
      return EXIT.ok;
    },
  };
}

function readIdle(text: string | undefined): number {
  if (text === undefined) return IDLE_MS;
  const given = Number(text);
  if (!Number.isFinite(given) || given <= 0) throw new UsageError("--idle must be a number of seconds above 0");
  return seconds(given);
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket();
  } catch {
    return false;
  }
}
