import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";

/** A Unix socket that passes everything on to another one, and can be cut as if its server had died. */
export interface SocketRelay {
  path: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

/** Opens a relay at `path` to `target`. */
export async function startRelay(path: string, target: string): Promise<SocketRelay> {
  const open = new Set<Socket>();
  let server = createServer();

  function pass(client: Socket): void {
    const upstream = connect(target);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  }

  async function mend(): Promise<void> {
    rmSync(path, { force: true });
    server = createServer({ allowHalfOpen: true }, pass);
    await new Promise<void>((resolve) => server.listen(path, resolve));
  }

  await mend();
  return {
    path,
    mend,
    async cut() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  };
}
