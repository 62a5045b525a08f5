/** A WebDAV server that keeps everything in memory; its user is `ada`, her password `moon`. */
export interface WebdavServer {
  url: string;
  /** Answers the next question of a method with 503, after it was done. */
  failNext(method: string): void;
  stop(): Promise<void>;
}

const AUTHORIZATION = `Basic ${btoa("ada:moon")}`;

/** Starts one on a free port of this machine; `lax` writes over what is there whatever it is asked. */
export function startWebdavServer(how: "sound" | "lax" = "sound"): WebdavServer {
  const files = new Map<string, Uint8Array>();
  const folders = new Set(["/dav/"]);
  let failing: string | null = null;
  const parentOf = (path: string) => path.replace(/[^/]+\/?$/, "");

  function list(folder: string): Response {
    if (!folders.has(folder)) return new Response(null, { status: 404 });
    const inside = [...folders, ...files.keys()].filter((path) => path === folder || parentOf(path) === folder);
    const items = inside.map((path) => {
      const size = files.get(path)?.length;
      const kind = size === undefined ? "<D:collection/>" : "";
      const length = size === undefined ? "" : `<D:getcontentlength>${size}</D:getcontentlength>`;
      const prop = `<D:prop><D:resourcetype>${kind}</D:resourcetype>${length}</D:prop>`;
      return `<D:response><D:href>${path}</D:href><D:propstat>${prop}</D:propstat></D:response>`;
    });
    return new Response(`<D:multistatus xmlns:D="DAV:">${items.join("\n")}</D:multistatus>`, { status: 207 });
  }

  function move(from: string, to: string, mayReplace: boolean): number {
    const bytes = files.get(from);
    if (bytes === undefined) return 404;
    if (files.has(to) && !mayReplace) return 412;
    if (!folders.has(parentOf(to))) return 409;
    files.delete(from);
    files.set(to, bytes);
    return 201;
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const status = (code: number) => new Response(null, { status: code });
    if (request.headers.get("authorization") !== AUTHORIZATION) return status(401);
    switch (request.method) {
      case "MKCOL":
        if (folders.has(path)) return status(405);
        if (!folders.has(parentOf(path))) return status(409);
        folders.add(path);
        return status(201);
      case "PUT":
        if (!folders.has(parentOf(path))) return status(409);
        files.set(path, new Uint8Array(await request.arrayBuffer()));
        return status(201);
      case "MOVE": {
        const to = new URL(request.headers.get("destination") ?? "").pathname;
        return status(move(path, to, how === "lax" || request.headers.get("overwrite") !== "F"));
      }
      case "GET": {
        const bytes = files.get(path);
        // It knows no ranges, as some do not.
        return bytes === undefined ? status(404) : new Response(bytes);
      }
      case "DELETE":
        return status(files.delete(path) ? 204 : 404);
      case "PROPFIND":
        return list(path);
      default:
        return status(405);
    }
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const said = await answer(request);
      if (failing !== request.method) return said;
      failing = null;
      return new Response(null, { status: 503 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/dav/`,
    failNext: (method) => {
      failing = method;
    },
    stop: () => server.stop(true),
  };
}
