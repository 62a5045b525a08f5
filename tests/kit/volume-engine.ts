import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { APP_LABEL } from "../../src/node/apps/apps/index.ts";
import { makeScratch } from "./scratch.ts";
import { serveEngine } from "./serve-socket.ts";

/** An engine whose volumes are folders, read and filled through containers that never run. */
export interface VolumeEngine {
  socket: string;
  /** Volumes by their names, with the app of each. */
  volumes: Map<string, string>;
  /** Whether it refuses to fill volumes. */
  isShut: boolean;
  /** What a volume has, where its app has it. */
  folderOf(volume: string): string;
  stop(): void;
}

const refuse = (status: number, message: string) => Response.json({ message }, { status });

export function startVolumeEngine(): VolumeEngine {
  const root = makeScratch("volumes");
  const socket = join(makeScratch("volume-engine"), "docker.sock");
  /** Containers by their names, with the volume of each. */
  const carriers = new Map<string, string>();
  const folderOf = (volume: string) => join(root, volume, "data");

  async function answer(request: Request, path: string): Promise<Response> {
    const url = new URL(request.url);
    const [, kind, name = "", way] = path.split("/");
    if (path === "/volumes") {
      const labels: string[] = JSON.parse(url.searchParams.get("filters") ?? "{}").label ?? [];
      const isAsked = (app: string) =>
        labels.every((label) => !label.startsWith(APP_LABEL) || label.endsWith(`=${app}`));
      const found = [...engine.volumes].filter(([, app]) => isAsked(app));
      // Elsewhere than on this machine, so that they are read through the engine.
      return Response.json({ Volumes: found.map(([Name]) => ({ Name, Driver: "nfs", Mountpoint: "", Labels: {} })) });
    }
    if (path === "/volumes/create") {
      const { Name, Labels } = (await request.json()) as { Name: string; Labels: Record<string, string> };
      engine.volumes.set(Name, Labels[APP_LABEL] ?? "");
      mkdirSync(folderOf(Name), { recursive: true });
      return Response.json({ Name });
    }
    if (path === "/containers/create") {
      const body = (await request.json()) as { HostConfig: { Mounts: { Source: string }[] } };
      const made = url.searchParams.get("name") ?? "";
      carriers.set(made, body.HostConfig.Mounts[0]?.Source ?? "");
      return Response.json({ Id: made }, { status: 201 });
    }
    if (request.method === "DELETE") {
      if (kind === "volumes" && engine.volumes.delete(name)) rmSync(join(root, name), { recursive: true, force: true });
      return new Response(null, { status: 204 });
    }
    if (way === "archive") {
      const at = join(root, carriers.get(name) ?? "");
      if (request.method === "PUT") {
        const bytes = await request.arrayBuffer();
        if (engine.isShut) return refuse(500, "no space left in the test");
        const { exitCode } = Bun.spawnSync(["tar", "-x", "-C", at], { stdin: new Uint8Array(bytes) });
        return exitCode === 0 ? new Response(null) : refuse(400, "no archive");
      }
      const wanted = (url.searchParams.get("path") ?? "").split("/").slice(2).join("/");
      const cut = wanted.lastIndexOf("/");
      const { exitCode, stdout } = Bun.spawnSync([
        ...["tar", "--format=gnu", "-c", "-C", join(at, wanted.slice(0, Math.max(0, cut)))],
        wanted.slice(cut + 1),
      ]);
      return exitCode === 0 ? new Response(new Uint8Array(stdout)) : refuse(404, "nothing there");
    }
    return kind === "images" ? Response.json({ Id: "sha256:1" }) : Response.json([]);
  }

  const server = serveEngine(socket, answer);
  const engine: VolumeEngine = {
    socket,
    volumes: new Map(),
    isShut: false,
    folderOf,
    stop: () => void server.stop(true),
  };
  return engine;
}
