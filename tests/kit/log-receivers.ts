import { createSocket } from "node:dgram";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { TLS_FIXTURE } from "./tls-fixture.ts";

/** A receiver of syslog on loopback. */
export interface SyslogReceiver {
  port: number;
  /** Whole messages, in order. */
  got: string[];
  /** Called for each connection before anything is read. */
  onConnection: (socket: Socket) => void;
  /** Ends all connections at once, whatever is in them. */
  cut(): void;
  close(): Promise<void>;
}

/** Takes messages apart that have their length before them (RFC 6587); gives the rest. Throws for what is none. */
export function takeCounted(bytes: Buffer, take: (message: string) => void): Buffer {
  let rest = bytes;
  for (;;) {
    const space = rest.indexOf(32);
    if (space === -1) return rest;
    const digits = rest.toString("latin1", 0, space);
    if (!/^[1-9]\d{0,5}$/.test(digits)) throw new Error(`this is no length: ${JSON.stringify(digits)}`);
    const end = space + 1 + Number(digits);
    if (rest.length < end) return rest;
    take(rest.toString("utf8", space + 1, end));
    rest = rest.subarray(end);
  }
}

const portOf = (server: Server): number => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address.port;
};

/** Listens for syslog over TCP or TLS; again on `port` where another one stood. */
export async function startSyslogReceiver(
  kind: "tcp" | "tls",
  port = 0,
  certificate: { key: string; cert: string } = TLS_FIXTURE,
): Promise<SyslogReceiver> {
  const sockets = new Set<Socket>();
  const receiver: SyslogReceiver = {
    port,
    got: [],
    onConnection: () => {},
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      receiver.cut();
      await new Promise((done) => server.close(done));
    },
  };
  const onSocket = (socket: Socket): void => {
    sockets.add(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on("data", (bytes: Buffer) => {
      rest = takeCounted(Buffer.concat([rest, bytes]), (message) => receiver.got.push(message));
    });
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    receiver.onConnection(socket);
  };
  const server =
    kind === "tls"
      ? createTlsServer({ key: certificate.key, cert: certificate.cert }, onSocket)
      : createServer(onSocket);
  server.on("tlsClientError", () => {});
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
  receiver.port = portOf(server);
  return receiver;
}

/** Listens for datagrams. */
export async function startUdpReceiver(): Promise<{ port: number; got: string[]; close(): void }> {
  const got: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (message) => void got.push(message.toString("utf8")));
  await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done));
  return { port: socket.address().port, got, close: () => socket.close() };
}

/** One request that a receiver over HTTP got. */
export interface PushedLines {
  path: string;
  headers: Headers;
  // Tests look into bodies freely; a wrong guess fails the test.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  json: any;
}

/** A receiver of lines over HTTP on loopback, which answers as told. */
export function startHttpReceiver(
  answer: (request: PushedLines) => Response | Promise<Response> = () => new Response(),
) {
  const got: PushedLines[] = [];
  const receiver = { url: "", got, answer, stop: () => server.stop(true) };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const pushed = { path: new URL(request.url).pathname, headers: request.headers, json: await request.json() };
      const response = await receiver.answer(pushed);
      if (response.ok) got.push(pushed);
      return response;
    },
  });
  receiver.url = `http://127.0.0.1:${server.port}`;
  return receiver;
}
