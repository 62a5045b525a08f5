import type { RegistryLogin } from "../../runtime/index.ts";

/** An image reference taken apart, Docker Hub's short forms written out. */
export interface ImageReference {
  /** `docker.io` for Docker Hub. */
  registry: string;
  repository: string;
  tag: string | null;
  digest: string | null;
}

/** Parses `repo`, `repo:tag`, `host:port/repo:tag@sha256:…` the way Docker does. */
export function parseImageReference(text: string): ImageReference {
  const [path = "", digest = null] = text.split("@");
  const colon = path.lastIndexOf(":");
  const hasTag = colon > path.lastIndexOf("/");
  const name = hasTag ? path.slice(0, colon) : path;
  const [first = "", ...rest] = name.split("/");
  const isHost = rest.length > 0 && (first.includes(".") || first.includes(":") || first === "localhost");
  const registry = isHost ? first : "docker.io";
  const repository = isHost ? rest.join("/") : name;
  return {
    registry: registry === "index.docker.io" ? "docker.io" : registry,
    repository: registry === "docker.io" && !repository.includes("/") ? `library/${repository}` : repository,
    tag: hasTag ? path.slice(colon + 1) : null,
    digest,
  };
}

/** Writes a reference for the engine; a digest wins over the tag, which the engine would otherwise refuse beside it. */
export function writeImageReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${digest === null ? `:${tag ?? "latest"}` : `@${digest}`}`;
}

/** `mirror.lan:5000` or `docker.io=mirror.lan:5000/hub, ghcr.io=…`; without a source it stands in for Docker Hub. */
export function parseMirrors(setting: string): Map<string, string> {
  const pairs = setting
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item): [string, string] => {
      const [source = "", target] = item.split("=").map((part) => part.trim());
      return target === undefined ? ["docker.io", source] : [source, target];
    });
  return new Map(pairs.map(([source, target]) => [source, target.replace(/\/+$/, "")]));
}

/** What is wrong with a mirror setting; null when nothing is. */
export function mirrorFault(setting: string): string | null {
  for (const [source, target] of parseMirrors(setting)) {
    if (!/^[a-z0-9.-]+(:\d+)?$/i.test(source)) return `${source} is not a registry`;
    if (!/^[a-z0-9.-]+(:\d+)?(\/[a-z0-9._/-]+)?$/i.test(target))
      return `${target} is not a registry such as mirror.lan:5000 (without https://)`;
  }
  return null;
}

/** Where an image can be pulled from, in the order to try: its mirror, then its own registry. */
export function pullSources(image: string, mirrors: ReadonlyMap<string, string>): string[] {
  const reference = parseImageReference(image);
  const mirror = mirrors.get(reference.registry) ?? mirrors.get("*");
  const own = writeImageReference(reference);
  return mirror === undefined ? [own] : [writeImageReference({ ...reference, registry: mirror }), own];
}

/** Logins as the setting holds them: JSON `[{"registry", "username", "password"}]`, or empty. Throws an Error that says what is wrong. */
export function parseLogins(setting: string): RegistryLogin[] {
  if (setting.trim() === "") return [];
  const value: unknown = JSON.parse(setting);
  if (!Array.isArray(value)) throw new Error("must be a JSON list");
  return value.map((item: unknown) => {
    if (typeof item !== "object" || item === null) throw new Error("every login must be an object");
    const { registry, username, password } = { registry: "", username: "", password: "", ...item };
    if (!registry || !username || !password) throw new Error("every login needs registry, username and password");
    return { registry, username, password };
  });
}

/** The login for an image's registry, null when there is none. */
export function loginFor(image: string, logins: readonly RegistryLogin[]): RegistryLogin | null {
  const { registry } = parseImageReference(image);
  return logins.find((login) => login.registry === registry) ?? null;
}
