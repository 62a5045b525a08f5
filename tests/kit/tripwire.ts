import { rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";

/** A Unix socket before that of an engine, at which a test can be told of a question that changes something. */
export interface Tripwire {
  path: string;
  /** Questions that change something since the latest `watch`: `POST /containers/create`. */
  asked: string[];
  /** Calls `trip` at the first such question from now that `isIt` says, counted from 0, and does with it what `how` says. */
  watch(isIt: (question: string, at: number) => boolean, how: TripMode, trip: () => void): void;
  close(): Promise<void>;
}

/**
 * `lost`: the question does not arrive. `half`: its beginning does, what follows does not. `unheard`: only its answer is lost.
 * `seen`: nothing is done to it.
 */
export type TripMode = "lost" | "half" | "unheard" | "seen";

const QUESTION = /^(POST|PUT|DELETE) (?:\/v[\d.]+)?(\/[^? ]*)[^ ]* HTTP\/1\.1\r\n/;

/** Opens one before the engine at `target`. */
export async function startTripwire(path: string, target: string): Promise<Tripwire> {
  const open = new Set<Socket>();
  const asked: string[] = [];
  let wire: { isIt: (question: string, at: number) => boolean; how: TripMode; trip: () => void } | null = null;

  function pass(client: Socket): void {
    const engine = connect(target);
    for (const socket of [client, engine]) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        open.delete(socket);
        client.destroy();
        engine.destroy();
      });
    }
    client.on("end", () => engine.end());
    engine.pipe(client);
    client.on("data", (data) => {
      const bytes = typeof data === "string" ? Buffer.from(data) : data;
      const [, method, path] = QUESTION.exec(bytes.subarray(0, 2000).toString("latin1")) ?? [];
      const question = method === undefined ? null : `${method} ${path}`;
      const isTripped = question !== null && wire?.isIt(question, asked.push(question) - 1) === true;
      if (isTripped && wire?.how === "seen") {
        wire.trip();
        wire = null;
      }
      if (!isTripped || wire === null) {
        if (!engine.write(bytes)) {
          client.pause();
          engine.once("drain", () => client.resume());
        }
        return;
      }
      const { how, trip } = wire;
      wire = null;
      if (how === "lost") {
        trip();
        return void client.destroy();
      }
      const end = () => {
        trip();
        client.destroy();
      };
      engine.write(bytes);
      if (how === "half") return void setImmediate(end);
      engine.unpipe(client);
      engine.once("data", end);
      // Without a pipe nothing flows by itself.
      engine.resume();
    });
  }

  rmSync(path, { force: true });
  const server = createServer({ allowHalfOpen: true }, pass);
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    asked,
    watch(isIt, how, trip) {
      asked.splice(0);
      wire = { isIt, how, trip };
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      rmSync(path, { force: true });
    },
  };
}
