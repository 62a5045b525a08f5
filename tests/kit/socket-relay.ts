import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** What passes everything on to a server, and can be cut as if that had died. */
export interface Relay {
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** A Unix socket that is one. */
export interface SocketRelay extends Relay {
  path: string;
}

/** A port of this machine that is one. */
export interface PortRelay extends Relay {
  port: number;
  /** Is cut when the server has done what it is asked next, whose answer gets lost. */
  cutAtAnswer(): void;
}

/** Where it listens and where to it leads: the path of a Unix socket, or a port of this machine. */
type Place = { path: string } | { port: number; host: string };

async function open(at: Place, to: Place): Promise<Relay & { cutAtAnswer(): void }> {
  const sockets = new Set<Socket>();
  let server = createServer();
  let isDoomed = false;

  function pass(client: Socket): void {
    const upstream = connect(to);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (bytes) => {
      if (isDoomed) void cut();
      else if (!client.write(bytes)) upstream.pause();
    });
    client.on("drain", () => upstream.resume());
    upstream.on("end", () => client.end());
  }

  async function cut(): Promise<void> {
    isDoomed = false;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
    if ("path" in at) rmSync(at.path, { force: true });
  }

  async function mend(): Promise<void> {
    isDoomed = false;
    if (server.listening) return;
    if ("path" in at) rmSync(at.path, { force: true });
    server = createServer({ allowHalfOpen: true }, pass);
    await new Promise<void>((resolve) => server.listen(at, resolve));
  }

  await mend();
  return {
    mend,
    cut,
    cutAtAnswer() {
      isDoomed = true;
    },
  };
}

/** Opens a relay at `path` to the socket `target`. */
export async function startRelay(path: string, target: string): Promise<SocketRelay> {
  return { path, ...(await open({ path }, { path: target })) };
}

/** Opens a relay on a free port to another port of this machine. */
export async function startPortRelay(target: number): Promise<PortRelay> {
  const host = "127.0.0.1";
  const port = freePort();
  return { port, ...(await open({ host, port }, { host, port: target })) };
}
