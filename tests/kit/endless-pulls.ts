import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";
import { serveSocket } from "./serve-socket.ts";

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
  const endless = (first: string) =>
    new Response(new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode(`${first}\n`)) }));
  function answer(request: Request): Response {
    const { pathname } = new URL(request.url);
    if (pathname === "/version") return Response.json({ Version: "27.0.0", ApiVersion: "1.47", MinAPIVersion: "1.24" });
    if (pathname.endsWith("/info"))
      return Response.json({ Driver: "overlay2", DockerRootDir: "/", Architecture: "x86_64" });
    if (pathname.endsWith("/events")) return endless("");
    // Nothing that is asked for by its name is here.
    if (/\/(containers|images)\/[^/]+\/json$/.test(pathname))
      return Response.json({ message: "no such thing" }, { status: 404 });
    if (!pathname.endsWith("/images/create")) return Response.json([]);
    begun += 1;
    given = new Promise((resolve) => request.signal.addEventListener("abort", () => resolve()));
    return endless('{"status":"Pulling"}');
  }
  const server = serveSocket(socket, answer);
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
