/** Serves a socket of a path, as an engine does. A silent answer stays open, which the runtime ends after ten seconds by itself. */
export function serveSocket(
  unix: string,
  fetch: (request: Request) => Response | Promise<Response>,
): ReturnType<typeof Bun.serve> {
  const options = { unix, fetch, idleTimeout: 0 };
  // @ts-expect-error Its types allow an idle time for ports alone; it works here too.
  return Bun.serve(options);
}
