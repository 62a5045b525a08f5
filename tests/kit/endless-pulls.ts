import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";
import { serveEngine } from "./serve-socket.ts";

/** An engine without anything, whose registry sends a line and then nothing more. */
export interface EndlessPulls {
  socket: string;
  /** How many pulls it was asked for. */
  begun(): number;
  /** Resolves when the latest pull is given up; null before the first. */
  given(): Promise<void> | null;
  stop(): void;
}

/** Starts one. */
export function startEndlessPulls(): EndlessPulls {
  const folder = makeScratch("pulls");
  const socket = join(folder, "docker.sock");
  let begun = 0;
  let given: Promise<void> | null = null;
  function answer(request: Request, path: string): Response {
    // Nothing that is asked for by its name is here.
    if (/\/(containers|images)\/[^/]+\/json$/.test(path))
      return Response.json({ message: "no such thing" }, { status: 404 });
    if (path !== "/images/create") return Response.json([]);
    begun += 1;
    given = new Promise((resolve) => request.signal.addEventListener("abort", () => resolve()));
    const first = new TextEncoder().encode('{"status":"Pulling"}\n');
    return new Response(new ReadableStream({ start: (stream) => stream.enqueue(first) }));
  }
  const server = serveEngine(socket, answer);
  return {
    socket,
    begun: () => begun,
    given: () => given,
    stop() {
      void server.stop(true);
      rmSync(folder, { recursive: true });
    },
  };
}
