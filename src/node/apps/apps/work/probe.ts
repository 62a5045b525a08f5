import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { ContainerInfo } from "../../runtime/index.ts";
import { EVERYWHERE, LOOPBACK } from "../plan/ports.ts";
import type { Work } from "./work.ts";

const PROBE_MS = 5_000;
const EXEC_MS = 20_000;

/**
 * Asks an address of this host; null when it answers with `expect`, else what it did instead. Not by `fetch`, which would
 * go to the proxy that the environment names and learn what that one thinks of the address.
 */
export function probeHttp(url: string, expect: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const options = {
    agent: false as const,
    signal: AbortSignal.timeout(PROBE_MS),
    // The app's own certificate is self-made; it is asked on this host only.
    rejectUnauthorized: false,
  };
  const take = (reply: IncomingMessage): void => {
    resolve(reply.statusCode === expect ? null : `it answers ${reply.statusCode} instead of ${expect}`);
    reply.destroy();
  };
  const request = url.startsWith("https:") ? httpsRequest(url, options, take) : httpRequest(url, options, take);
  request.on("error", () => resolve("it does not answer yet"));
  request.end();
  return promise;
}

/** Connects and hangs up; null when something accepts. */
export async function probeTcp(host: string, port: number): Promise<string | null> {
  try {
    const socket = await Bun.connect({ hostname: host, port, socket: { data() {} } });
    socket.end();
    return null;
  } catch {
    return `nothing listens on port ${port} yet`;
  }
}

/** Address of a container in the first of its networks that gave it one. */
function addressOf(container: ContainerInfo): string | null {
  return Object.values(container.NetworkSettings.Networks).find(({ IPAddress }) => IPAddress !== "")?.IPAddress ?? null;
}

/** The manifest's own question; null when the app answers it well, else why not. */
export async function probeManifest(
  { engine, blueprint }: Pick<Work, "engine" | "blueprint">,
  containers: ReadonlyMap<string, ContainerInfo>,
): Promise<string | null> {
  const { health, main } = blueprint.manifest;
  const container = containers.get(health.service);
  if (!container) return `${health.service} has no container`;
  if ("exec" in health) {
    const { exit_code } = await engine.execInside(container.Id, health.exec, EXEC_MS);
    return exit_code === 0 ? null : `its check ended with exit code ${exit_code}`;
  }
  const isOnHost = blueprint.project.services.some(
    ({ name, networkMode }) => name === health.service && networkMode === "host",
  );
  const address = isOnHost ? LOOPBACK : addressOf(container);
  // Docker's proxy accepts on a published port before anything listens behind it, so TCP asks the container itself.
  if ("tcp" in health) return address === null ? `${health.service} has no address` : probeTcp(address, health.tcp);
  const port = health.port ?? main.port;
  const published = blueprint.ports.find((row) => row.service === health.service && row.container === port);
  const scheme = main.scheme === "https" && port === main.port ? "https" : "http";
  const listening = published?.bind === EVERYWHERE ? LOOPBACK : published?.bind;
  const target = published ? `${listening}:${published.host}` : `${address}:${port}`;
  return probeHttp(`${scheme}://${target}${health.http}`, health.expect);
}
