import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { seconds } from "../../../../lib/duration.ts";
import { withPatience } from "../../../../lib/patience.ts";
import { readUnconfirmed } from "../../../machine/index.ts";
import type { SyslogConfig } from "../contract.ts";
import { explainSocket } from "./explain.ts";
import { findPlace } from "./reach.ts";
import { failed, type Sender, type SenderPorts } from "./sender.ts";
import { countOctets, syslogMessage } from "./syslog-message.ts";

const CONNECT_MS = seconds(10);
/** A receiver that takes nothing for so long is as good as gone. */
const TAKE_MS = seconds(20);
/** TCP tells what a machine has taken, not what its program has read: lines count once their connection has stood so long after them. */
const SETTLE_MS = seconds(1);
/** Syslog has no answers. What some say at the beginning is thrown away; who goes on talking is no receiver of it. */
const MOST_SAID = 64 * 1024;
/** How soon it is asked again whether the other machine has taken all, at first and at most. */
const LOOK_MS = { first: 5, most: 100 };
/** What receivers must take over TLS (RFC 5425), and what rsyslog takes unless told otherwise. */
const MOST_BYTES = 8_192;

function openSocket(
  clock: Pick<SenderPorts["clock"], "after">,
  address: string,
  { host, port, transport, ca }: SyslogConfig,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const isTls = transport === "tls";
  const socket = isTls
    ? connectTls({
        host: address,
        port,
        // Whoever answers must prove to be the one that was named.
        rejectUnauthorized: true,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(ca === undefined ? {} : { ca }),
      })
    : connect({ host: address, port });
  const late = Object.assign(new Error("timed out"), { code: "ETIMEDOUT" });
  const cancel = clock.after(CONNECT_MS, () => socket.destroy(late));
  socket.once("error", reject);
  socket.once("close", () => reject(new Error("it ended the connection")));
  socket.once(isTls ? "secureConnect" : "connect", () => {
    socket.setNoDelay(true);
    socket.setKeepAlive(true, seconds(30));
    resolve(socket);
  });
  return promise.finally(cancel);
}

/** Connected, and yet nothing gets through: the program there hangs, or the way there is cut. */
class TakesNothing extends Error {}

/** It says things, where a receiver has nothing to say. */
class TalksOn extends Error {}

const isLate = (error: unknown): boolean => error instanceof Error && error.message.startsWith("no answer within");

/** Syslog over a connection: each message with its length before it. */
export function createStreamSender({ clock, ownPorts, server }: SenderPorts, config: SyslogConfig): Sender {
  const place = `${config.host}:${config.port}`;
  const isTls = config.transport === "tls";
  let socket: Socket | null = null;
  let ended: unknown = null;

  async function connectAnew(): Promise<Socket> {
    const addresses = await findPlace(ownPorts, config);
    let last: unknown = new Error("no address");
    for (const address of addresses) {
      try {
        return await openSocket(clock, address, config);
      } catch (error) {
        last = error;
      }
    }
    throw last;
  }

  /** Keeps watch: what the other side says is thrown away, and when it goes, or says too much, nothing more is sent there. */
  function keep(fresh: Socket): Socket {
    const gone = (why: unknown) => {
      if (socket !== fresh) return;
      ended = why;
      socket = null;
      fresh.destroy();
    };
    fresh.on("error", gone);
    fresh.on("end", () => gone(Object.assign(new Error("ended"), { code: "ECONNRESET" })));
    fresh.on("close", () => gone(ended ?? Object.assign(new Error("closed"), { code: "ECONNRESET" })));
    let said = 0;
    fresh.on("data", (bytes) => {
      said += bytes.length;
      if (said > MOST_SAID) gone(new TalksOn());
    });
    socket = fresh;
    return fresh;
  }

  function write(to: Socket, bytes: Buffer): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onClose = () => reject(ended ?? Object.assign(new Error("closed"), { code: "ECONNRESET" }));
    to.once("close", onClose);
    to.write(bytes, (error) => {
      to.removeListener("close", onClose);
      if (error) reject(error);
      else resolve();
    });
    return promise;
  }

  /**
   * Waits until the other machine has confirmed all that was written. The kernel takes megabytes for one that has vanished, says
   * nothing for a quarter of an hour, and then throws them away.
   */
  async function waitConfirmed(to: Socket): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    let waited = 0;
    for (let pause = LOOK_MS.first; ; pause = Math.min(LOOK_MS.most, pause * 2)) {
      const left = await readUnconfirmed(to);
      if (socket !== to) throw ended ?? Object.assign(new Error("closed"), { code: "ECONNRESET" });
      // Where the system does not say, that the connection stands has to do.
      if (left === null || left === 0) return;
      if (left < least) waited = 0;
      if (waited >= TAKE_MS) throw new TakesNothing();
      least = left;
      await clock.sleep(pause);
      waited += pause;
    }
  }

  function hangUp(): void {
    const old = socket;
    socket = null;
    old?.destroy();
  }

  return {
    settleMs: SETTLE_MS,
    isStanding: () => socket !== null,
    async send(lines) {
      try {
        const to = socket ?? keep(await connectAnew());
        const name = server();
        const bytes = Buffer.concat(lines.map((line) => countOctets(syslogMessage(line, name, MOST_BYTES))));
        await withPatience(clock, TAKE_MS, write(to, bytes)).catch((error: unknown) => {
          throw isLate(error) ? new TakesNothing() : error;
        });
        await waitConfirmed(to);
        return { status: "taken", code: null, words: `${place} took it.`, retry_after_ms: null };
      } catch (error) {
        hangUp();
        if (error instanceof TakesNothing)
          return failed(`${place} is connected but has taken nothing for ${TAKE_MS / 1000} seconds.`);
        if (error instanceof TalksOn)
          return failed(`${place} answers and goes on answering, which no receiver of syslog does. Look at the port.`);
        return failed(explainSocket(error, place, isTls));
      }
    },
    close: hangUp,
  };
}
