import { rmSync } from "node:fs";
import { join } from "node:path";
import { makeScratch } from "./scratch.ts";
import { serveSocket } from "./serve-socket.ts";

/** How an engine goes: it hangs up before or after it has done what was asked, or says first that it cannot. */
export const DEATHS = ["before", "after", "refuses"] as const;
export type EngineDeath = (typeof DEATHS)[number];

interface Kept {
  Id: string;
  Name: string;
  Labels: Record<string, string>;
  Status: "created" | "running" | "exited";
  ExitCode: number;
  FinishedAt: string;
}

/** An engine that exists only as far as the work on an app asks for it, and that can be lost at any of those questions. */
export interface MortalEngine {
  socket: string;
  /** What was asked since the latest `forget`: `POST /containers/web/start`. */
  asked: string[];
  forget(): void;
  /** Dies at the `count`-th question from now that is about containers, networks, volumes or images. */
  dieAt(count: number, how: EngineDeath): void;
  /** Whether it is there. */
  isUp(): boolean;
  kill(): void;
  /** Comes back: what ran has ended with that code, and the first `refusals` starts are refused. */
  comeBack(exitCode: number, refusals?: number): void;
  /** Refuses so many starts from now on. */
  refuseStarts(count: number): void;
  /** Never starts again the containers that there are now, as one that was killed in the middle of that. */
  stick(): void;
  /** Whether all containers run. */
  runs(): boolean;
  stop(): void;
}

const REFUSAL = "connection error: desc = transport: error while dialing: dial unix containerd.sock: connect: refused";
const never = "0001-01-01T00:00:00Z";

/** Starts one; every image is there. Its containers have `address`. */
export function startMortalEngine(address = "127.0.0.1"): MortalEngine {
  const folder = makeScratch("mortal-engine");
  const socket = join(folder, "docker.sock");
  const containers = new Map<string, Kept>();
  const asked: string[] = [];
  let doom: { count: number; how: EngineDeath } | null = null;
  let refusals = 0;
  let stuck = new Set<string>();
  let server: { stop(isNow: boolean): Promise<void> } | null = null;
  let tell: (event: object) => void = () => {};

  const say = ({ Id, Labels, ExitCode }: Kept, Action: string, more: object = {}) =>
    tell({ Type: "container", Action, Actor: { ID: Id, Attributes: { ...Labels, exitCode: `${ExitCode}`, ...more } } });
  const find = (id: string) => containers.get(id) ?? [...containers.values()].find(({ Name }) => Name === id);
  const json = (body: unknown, status = 200) => Response.json(body, { status });
  const gone = () => json({ message: "no such thing" }, 404);
  const done = () => new Response(null, { status: 204 });

  function stopContainer(one: Kept): void {
    if (one.Status !== "running") return;
    Object.assign(one, { Status: "exited", ExitCode: 143, FinishedAt: new Date().toISOString() });
    say(one, "kill", { signal: "15" });
    say(one, "die");
    say(one, "stop");
  }

  const inspect = ({ Id, Name, Labels, Status, ExitCode, FinishedAt }: Kept) => ({
    Id,
    Name: `/${Name}`,
    RestartCount: 0,
    State: {
      ...{ Status, Running: Status === "running", Restarting: false, OOMKilled: false, Pid: 0, ExitCode, Error: "" },
      ...{ StartedAt: never, FinishedAt },
    },
    Config: { Labels, Tty: false, Image: "image" },
    HostConfig: { Memory: 0 },
    NetworkSettings: { Networks: { own: { IPAddress: address } } },
  });

  async function answer(request: Request, path: string, query: URLSearchParams): Promise<Response> {
    const { method } = request;
    const [, kind = "", id = "", verb = ""] = path.split("/").map(decodeURIComponent);
    if (kind === "images") return json({ Id: "image", Architecture: "amd64", RepoTags: [], RepoDigests: [] });
    if (kind === "volumes") return json(method === "GET" ? { Volumes: [] } : {});
    if (kind === "networks") return json(method === "GET" ? [] : {});
    if (id === "json") {
      const wanted: string[] = JSON.parse(query.get("filters") ?? "{}").label ?? [];
      const fits = ({ Labels }: Kept) =>
        wanted.every((text) => `${Labels[text.split("=")[0] ?? ""]}` === text.split("=")[1]);
      const found = [...containers.values()].filter(fits);
      return json(
        found.map(({ Status, Name, ...one }) => ({ ...one, Names: [`/${Name}`], Image: "image", State: Status })),
      );
    }
    if (id === "create") {
      const Name = query.get("name") ?? "";
      if (find(Name)) return json({ message: `the container name "${Name}" is already in use` }, 409);
      const { Labels } = (await request.json()) as Pick<Kept, "Labels">;
      const Id = `${Name}-${crypto.randomUUID()}`;
      containers.set(Id, { Id, Name, Labels, Status: "created", ExitCode: 0, FinishedAt: never });
      return json({ Id }, 201);
    }
    const one = find(id);
    if (!one) return gone();
    if (method === "DELETE") {
      containers.delete(one.Id);
      return done();
    }
    if (verb === "json") return json(inspect(one));
    if (verb === "logs") return new Response("");
    if (verb === "stop") stopContainer(one);
    if (verb === "start") {
      if (refusals > 0) {
        refusals -= 1;
        return json({ message: REFUSAL }, 500);
      }
      if (stuck.has(one.Id)) return json({ message: `task ${one.Id}: already exists` }, 409);
      Object.assign(one, { Status: "running", ExitCode: 0 });
      say(one, "start");
    }
    return done();
  }

  function kill(): void {
    void server?.stop(true);
    server = null;
    rmSync(socket, { force: true });
  }

  function listen(): void {
    rmSync(socket, { force: true });
    server = serveSocket(socket, async (request) => {
      const url = new URL(request.url);
      const path = url.pathname.replace(/^\/v[\d.]+/, "");
      if (path === "/version") return json({ Version: "27.0.0", ApiVersion: "1.47", MinAPIVersion: "1.24" });
      if (path === "/info") return json({ Driver: "overlay2", DockerRootDir: "/", Architecture: "x86_64" });
      if (path === "/events")
        return new Response(
          new ReadableStream({
            start(stream) {
              const encoder = new TextEncoder();
              tell = (event) => stream.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
              stream.enqueue(encoder.encode("\n"));
            },
            cancel() {
              tell = () => {};
            },
          }),
        );
      asked.push(`${request.method} ${path}`);
      const isDoomed = doom !== null && --doom.count === 0;
      const how = isDoomed ? doom?.how : null;
      if (how === "before") kill();
      if (how === "refuses") {
        // Its last word is still out when it is gone.
        setTimeout(kill, 1);
        return json({ message: REFUSAL }, 500);
      }
      if (server === null) return done();
      const reply = await answer(request, path, url.searchParams);
      if (how === "after") kill();
      return reply;
    });
  }

  listen();
  return {
    socket,
    asked,
    forget: () => void asked.splice(0),
    dieAt(count, how) {
      doom = { count, how };
    },
    isUp: () => server !== null,
    kill,
    comeBack(exitCode, starts = 0) {
      doom = null;
      refusals = starts;
      for (const one of containers.values())
        if (one.Status === "running")
          Object.assign(one, { Status: "exited", ExitCode: exitCode, FinishedAt: new Date().toISOString() });
      listen();
    },
    refuseStarts(count) {
      refusals = count;
    },
    stick() {
      stuck = new Set(containers.keys());
    },
    runs: () => containers.size > 0 && [...containers.values()].every(({ Status }) => Status === "running"),
    stop() {
      doom = null;
      kill();
      rmSync(folder, { recursive: true });
    },
  };
}
