import { accountId } from "./account.ts";
import type { Host } from "./host.ts";
import { layoutOf, type ProgramSpec } from "./program.ts";
import { hasSystemd } from "./systemd.ts";

/** Disk that a fresh install asks for: the program, its next release and the first data. */
const NEEDED_BYTES = 1_000_000_000;

/** What keeps the program from being installed here; empty when nothing does. */
export function installProblems(host: Host, spec: ProgramSpec): string[] {
  const layout = layoutOf(spec);
  const problems: string[] = [];
  if (!host.isRoot()) problems.push(`root is needed; run: sudo ${spec.name} install`);
  if (!hasSystemd(host)) problems.push(`this host does not run systemd; run the program yourself: ${spec.name} serve`);
  if (host.ownFile() === null) problems.push("this is a checkout; build the program first: npm run build");
  const isFresh = host.stat(layout.current) === null;
  for (const place of [layout.base, layout.dataDir]) {
    if (isFresh && host.freeBytes(place) < NEEDED_BYTES) problems.push(`less than 1 GB is free for ${place}`);
  }
  return [...problems, ...foreignPlaces(host, spec)];
}

/**
 * What is there already and belongs to another user, or may be written by all: whoever can put another program into those places has
 * it run as root.
 */
function foreignPlaces(host: Host, spec: ProgramSpec): string[] {
  const { base, releases, configDir, config, dataDir } = layoutOf(spec);
  const folders = host.list(releases).map((release) => `${releases}/${release}`);
  const mine = process.geteuid?.() ?? 0;
  const places: [path: string, owners: readonly (number | null)[]][] = [
    ...[base, releases, ...folders, ...folders.map((folder) => `${folder}/${spec.name}`), configDir, config].map(
      (path): [string, number[]] => [path, [mine]],
    ),
    [dataDir, [mine, accountId(host, spec)]],
  ];
  return places.flatMap(([path, owners]) => {
    const facts = host.stat(path);
    const isSafe = !facts || (owners.includes(facts.uid) && (facts.kind === "link" || (facts.mode & 0o002) === 0));
    return isSafe
      ? []
      : [`${path} is there and others may write to it; give it to root: chown -R root: ${path} && chmod o-w ${path}`];
  });
}

/** Ports after the usual one that are tried when it is taken. */
const PORT_TRIES = 50;

/**
 * The first free port from the program's own upwards, leaving out those that other parts of ours use. Throws when none of
 * the next 50 is free.
 */
export function choosePort(host: Host, spec: ProgramSpec, address: string): number {
  for (let port = spec.port; port < spec.port + PORT_TRIES; port++) {
    const isKept = port !== spec.port && spec.portsKeptFree.includes(port);
    if (!isKept && host.isPortFree(address, port)) return port;
  }
  throw new Error(`no port from ${spec.port} to ${spec.port + PORT_TRIES - 1} is free; choose one: --listen HOST:PORT`);
}
