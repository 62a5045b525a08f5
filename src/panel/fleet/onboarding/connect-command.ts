import type { Needs } from "./needs.ts";

/** How a request reached the panel. */
export interface Origin {
  request: Request;
  ip: string;
  isHttps: boolean;
}

type Deps = Pick<Needs, "config" | "nodes" | "agentPort">;

/** The address of the panel as people reach it. */
export function panelUrl({ config }: Pick<Deps, "config">, { request, isHttps }: Origin): string {
  if (config.public_url !== "") return config.public_url;
  return `${isHttps ? "https" : "http"}://${hostOf(request)}`;
}

/** The line that enrols a server, to be run there. */
export function connectCommand({ config, nodes, agentPort }: Deps, origin: Origin, token: string): string {
  const host = config.agent_names[0] ?? new URL(panelUrl({ config }, origin)).hostname;
  const panel = `https://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}:${agentPort.port()}`;
  return `orrery-node connect --panel ${panel} --token ${token} --pin ${nodes.authority().pin()}`;
}

/**
 * The same for a server that has nothing of Orrery yet: it brings what the installer needs, runs the signed installer of the release base,
 * and connects. Null when the panel does not know where releases lie.
 */
export function installCommand(deps: Deps, origin: Origin, token: string): string | null {
  const { release_base } = deps.config;
  if (release_base === "") return null;
  const base = `'${release_base.replaceAll("'", "%27")}'`;
  const tools =
    "{ command -v curl && command -v openssl; } >/dev/null || { apt-get update && apt-get install -y ca-certificates curl openssl; }";
  // The script is whole before any of it runs; a pipe would run the first half of one that was cut.
  const install = `script=$(curl -fsSL ${base}/install.sh) && ORRERY_RELEASE_BASE=${base} sh -c "$script"`;
  return `(${tools}) && ${install} && /usr/local/bin/${connectCommand(deps, origin, token)}`;
}

/** What the caller named, if it is a plain name or address: it goes into a line for a shell. */
function hostOf(request: Request): string {
  const host = request.headers.get("host") ?? "";
  return /^([a-z0-9.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`)
    ? host
    : "localhost";
}
