import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { seconds } from "../../../../lib/duration.ts";
import { withPatience } from "../../../../lib/patience.ts";
import type { SyslogConfig } from "../contract.ts";
import { explainSocket } from "./explain.ts";
import { findPlace } from "./reach.ts";
import { failed, type Sender, type SenderPorts } from "./sender.ts";
import { countOctets, syslogMessage } from "./syslog-message.ts";

const CONNECT_MS = seconds(10);
/** A receiver that takes nothing for so long is as good as gone. */
const TAKE_MS = seconds(20);
/** TCP tells when a connection breaks, not what was read before: lines count once their connection has stood so long after them. */
const SETTLE_MS = seconds(1);
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

  /** Keeps watch: what the other side says is thrown away, and when it goes nothing more is sent there. */
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
    fresh.resume();
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
        await withPatience(clock, TAKE_MS, write(to, bytes));
        return { status: "taken", code: null, words: `${place} took it.`, retry_after_ms: null };
      } catch (error) {
        hangUp();
        const isSlow = error instanceof Error && error.message.startsWith("no answer within");
        if (isSlow) return failed(`${place} is connected but has taken nothing for ${TAKE_MS / 1000} seconds.`);
        return failed(explainSocket(error, place, isTls));
      }
    },
    close: hangUp,
  };
}
