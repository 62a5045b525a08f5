import { connect, createServer, type Socket } from "node:net";

/** A way to a database on which connections break in the moment of a commit. */
export interface BreakingWay {
  url: string;
  /**
   * Breaks the next connection that commits: `lost` hands the commit on and keeps the answer back, `kept` does not hand it on, and the server
   * does not hear of the end.
   */
  breakNext(how: "lost" | "kept"): void;
  /** From the next break on all others break too, and nobody comes through. */
  closeWithNext(): void;
  /** Keeps back what comes in answer to the next commit. Resolves, once the server has said it, to what lets it go on. */
  holdNext(): Promise<() => void>;
  /** Keeps the next commit back before the server hears of it. Resolves to what hands it on. */
  keepNext(): Promise<() => void>;
  /** Swallows from now on what goes either way over those that are open, and over new ones too until `hear`; none of them ends. */
  silence(which: "open" | "all"): void;
  hear(): void;
  open(): Promise<void>;
  /** How many broke. */
  broken(): number;
  end(): void;
}

/** Opens a way to the database at a URL of `createPostgresDatabase`. */
export async function openBreakingWay(url: string): Promise<BreakingWay> {
  const { pathname, searchParams, username } = new URL(url);
  const path = searchParams.get("path") ?? "";
  let next: "lost" | "kept" | null = null;
  let closes = false;
  let held: ((letGo: () => void) => void) | null = null;
  let keeps: ((handOn: () => void) => void) | null = null;
  let isDeaf = false;
  const muted = new WeakSet<Socket>();
  let broken = 0;
  const sockets = new Set<Socket>();
  const nears = new Set<Socket>();

  const server = createServer((near) => {
    const far = connect(path);
    let isBroken = false;
    let kept: Buffer[] | null = null;
    nears.add(near);
    if (isDeaf) muted.add(near);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    near.on("data", (data) => {
      if (isBroken || muted.has(near)) return;
      if (keeps !== null && data.includes("COMMIT")) {
        keeps(() => void far.write(data));
        keeps = null;
        return;
      }
      if (held !== null && data.includes("COMMIT")) {
        const tell = held;
        held = null;
        kept = [];
        far.once("data", () =>
          tell(() => {
            for (const part of kept ?? []) near.write(part);
            kept = null;
          }),
        );
      }
      if (next === null || !data.includes("COMMIT")) return void far.write(data);
      isBroken = true;
      broken += 1;
      if (closes) {
        server.close();
        for (const other of nears) if (other !== near) other.destroy();
      }
      const how = next;
      next = null;
      if (how === "kept") return void near.destroy();
      far.once("data", () => near.destroy());
      far.write(data);
    });
    far.on("data", (data: Buffer) => {
      if (kept) kept.push(data);
      else if (!isBroken && !muted.has(near)) near.write(data);
    });
    far.on("close", () => near.destroy());
    // Of one that went silent the server does not hear either that it ended.
    near.on("close", () => void (isBroken || muted.has(near) || far.destroy()));
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  await listen(0);
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    breakNext(how) {
      next = how;
    },
    closeWithNext() {
      closes = true;
    },
    holdNext: () =>
      new Promise((resolve) => {
        held = resolve;
      }),
    keepNext: () =>
      new Promise((resolve) => {
        keeps = resolve;
      }),
    silence(which) {
      for (const near of nears) muted.add(near);
      isDeaf = which === "all";
    },
    hear() {
      isDeaf = false;
    },
    async open() {
      closes = false;
      await listen(port);
    },
    broken: () => broken,
    end() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
