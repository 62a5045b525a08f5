/** Serves a socket of a path, as an engine does. A silent answer stays open, which the runtime ends after ten seconds by itself. */
export function serveSocket(
  unix: string,
  fetch: (request: Request) => Response | Promise<Response>,
): ReturnType<typeof Bun.serve> {
  const options = { unix, fetch, idleTimeout: 0 };
  // @ts-expect-error Its types allow an idle time for ports alone; it works here too.
  return Bun.serve(options);
}

/**
 * Serves a socket as an engine that is there: it says who it is, and its events go on without one. All else is asked of `answer`, with the
 * path without the version.
 */
export function serveEngine(
  unix: string,
  answer: (request: Request, path: string) => Response | Promise<Response>,
): ReturnType<typeof Bun.serve> {
  return serveSocket(unix, (request) => {
    const path = new URL(request.url).pathname.replace(/^\/v[\d.]+/, "");
    if (path === "/version") return Response.json({ Version: "27.0.0", ApiVersion: "1.47", MinAPIVersion: "1.24" });
    if (path === "/info") return Response.json({ Driver: "overlay2", DockerRootDir: "/", Architecture: "x86_64" });
    if (path === "/events") return new Response(new ReadableStream({ start: (stream) => stream.enqueue("\n") }));
    return answer(request, path);
  });
}
