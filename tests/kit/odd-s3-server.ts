/** An S3 server that holds files in memory, and does not do as it should. */
export interface OddS3Server {
  /** What adds it as a target. */
  input: { type: "s3"; endpoint: string; region: string; bucket: string; access_key: string; secret_key: string };
  /** What lies there, by its name. */
  files: Map<string, Uint8Array>;
  /** From now on it answers nothing that is asked about such a name, but so many times. */
  fallSilent(about: Pick<RegExp, "test">, after?: number): void;
  /** From now on its listings name nothing, and go on. */
  listNothing(): void;
  /** How many questions it was asked. */
  asked(): number;
  /** Waits until it was asked something that it does not answer. */
  untilSilent(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts one on loopback; it takes any key. */
export function startOddS3Server(): OddS3Server {
  const files = new Map<string, Uint8Array>();
  let silentAbout: Pick<RegExp, "test"> | null = null;
  let silent = Promise.withResolvers<void>();
  let left = 0;
  let isEmpty = false;
  let asked = 0;

  function list(prefix: string): string {
    if (isEmpty) return `<NextContinuationToken>t${asked}</NextContinuationToken>`;
    return [...files]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, { length }]) => `<Contents><Key>${name}</Key><Size>${length}</Size></Contents>`)
      .join("");
  }

  async function answer(request: Request, name: string): Promise<Response> {
    const there = files.get(name);
    if (request.method === "PUT") {
      if (there && request.headers.has("if-none-match")) return new Response("", { status: 412 });
      files.set(name, await request.bytes());
      return new Response("");
    }
    if (request.method === "DELETE") return new Response(null, { status: files.delete(name) ? 204 : 404 });
    if (!there) return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.get("range") ?? "") ?? [];
    if (from === undefined) return new Response(there);
    return new Response(there.slice(Number(from), Number(to) + 1), { status: 206 });
  }

  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      asked += 1;
      const { pathname, searchParams } = new URL(request.url);
      const prefix = searchParams.get("prefix");
      const name = pathname.slice("/copies/".length);
      if (silentAbout?.test(prefix ?? name) && left-- <= 0) {
        silent.resolve();
        return await new Promise<never>(() => {});
      }
      return prefix === null
        ? await answer(request, name)
        : new Response(`<ListBucketResult>${list(prefix)}</ListBucketResult>`);
    },
  });
  return {
    input: {
      type: "s3",
      endpoint: `http://127.0.0.1:${server.port}`,
      region: "us-east-1",
      bucket: "copies",
      access_key: "a",
      secret_key: "s",
    },
    files,
    fallSilent(about, after = 0) {
      silent = Promise.withResolvers<void>();
      silentAbout = about;
      left = after;
    },
    listNothing() {
      isEmpty = true;
    },
    asked: () => asked,
    untilSilent: () => silent.promise,
    stop: () => server.stop(true),
  };
}
