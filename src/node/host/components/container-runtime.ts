import { existsSync } from "node:fs";
import { join } from "node:path";
import { hasProgram } from "../../../kernel/host/run-program.ts";
import { isOlderVersion } from "../../../lib/version-order.ts";
import type { ContainerRuntime } from "./contract.ts";
import type { Own } from "./needs.ts";

/** Its socket speaks enough of Docker's language from here on. */
const OLDEST_PODMAN = "4.6";

/** True where Docker came from the snap store. */
export const hasSnapDocker = ({ config }: Pick<Own, "config">): boolean =>
  ["snap/bin/docker", "var/snap/docker/current"].some((path) => existsSync(join(config.host_root, path)));

/** A version of a package without what the distribution adds: `1:4.3.1+ds1-8` is 4.3.1. */
const upstream = (version: string): string => /^(?:\d+:)?(\d+(?:\.\d+)*)/.exec(version)?.[1] ?? version;

/** What containers run in: the engine that answers, else what is installed. */
export function describeRuntime(own: Own): ContainerRuntime {
  const engine = own.lists.engines.all().flatMap((read) => read() ?? [])[0];
  const versionOf = (name: string) => own.machine.last()?.packages.get(name)?.installed ?? null;
  const docker = versionOf("docker.io");
  if (engine) {
    const mode = hasSnapDocker(own) ? "snap" : docker === null ? "other" : "package";
    const version = engine.version ?? (docker === null ? null : upstream(docker));
    return { mode, flavor: "docker", version, too_old: engine.too_old };
  }
  const podman = versionOf("podman");
  if (podman !== null) {
    const version = upstream(podman);
    return { mode: "package", flavor: "podman", version, too_old: isOlderVersion(version, OLDEST_PODMAN) };
  }
  if (hasProgram("podman")) return { mode: "other", flavor: "podman", version: null, too_old: false };
  return { mode: "none", flavor: null, version: null, too_old: false };
}
