import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import { seconds } from "../../../../lib/duration.ts";
import type { SyslogConfig } from "../contract.ts";
import { explainSocket } from "./explain.ts";
import { findPlace } from "./reach.ts";
import { failed, type Sender, type SenderPorts } from "./sender.ts";
import { syslogMessage } from "./syslog-message.ts";

/** What every receiver should take in one datagram (RFC 5426). */
const MOST_BYTES = 2_048;
/** So many datagrams leave before the receiver's queue gets a moment: nobody tells when one is thrown away. */
const AT_ONCE = 64;
const PAUSE_MS = 2;
/** A machine that hears of a closed port tells so within this time. */
const SETTLE_MS = seconds(1);
/** Names move; a socket is bound to one address. */
const KEPT_MS = seconds(60);

async function openSocket(address: string, port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = createSocket(isIPv6(address) ? "udp6" : "udp4");
  socket.once("error", reject);
  socket.connect(port, address, (error?: unknown) => {
    if (error === undefined || error === null) return resolve(socket);
    // The one way to fail, which the runtime gives no code: there is no route.
    socket.close();
    reject(Object.assign(new Error("no route"), { code: "ENETUNREACH" }));
  });
  return promise;
}

const sendOne = (socket: Socket, bytes: Buffer): Promise<void> =>
  new Promise((resolve, reject) => socket.send(bytes, (error) => (error ? reject(error) : resolve())));

/** Syslog in datagrams. Nobody answers them: only a closed port is ever heard of. */
export function createUdpSender({ clock, ownPorts, server }: SenderPorts, config: SyslogConfig): Sender {
  const place = `${config.host}:${config.port}`;
  let open: { socket: Socket; since: number } | null = null;
  let refused: unknown = null;

  function hangUp(): void {
    open?.socket.close();
    open = null;
  }

  async function connectAnew(): Promise<Socket> {
    const [address = ""] = await findPlace(ownPorts, config);
    const socket = await openSocket(address, config.port);
    socket.on("error", (error) => {
      refused = error;
      if (open?.socket === socket) hangUp();
    });
    socket.unref();
    open = { socket, since: clock.monotonic() };
    return socket;
  }

  return {
    settleMs: SETTLE_MS,
    isStanding: () => open !== null,
    async send(lines) {
      try {
        if (open && clock.monotonic() - open.since > KEPT_MS) hangUp();
        refused = null;
        const socket = open?.socket ?? (await connectAnew());
        const name = server();
        for (const [index, line] of lines.entries()) {
          await sendOne(socket, syslogMessage(line, name, MOST_BYTES));
          if (index % AT_ONCE === AT_ONCE - 1) await clock.sleep(PAUSE_MS);
          if (refused !== null) throw refused;
        }
        return {
          status: "taken",
          code: null,
          words: `Sent to ${place}. UDP has no answer: look there whether it arrived.`,
          retry_after_ms: null,
        };
      } catch (error) {
        hangUp();
        // A socket that broke is closed at once, and what is under way then is only told that.
        return failed(explainSocket(refused ?? error, place, false));
      }
    },
    close: hangUp,
  };
}
