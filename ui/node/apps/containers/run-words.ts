import type { RunInput } from "../../../../src/node/apps/containers/contract.ts";

/** What somebody wrote line by line, or the line that cannot be read and how it should look. */
export type Read<Value> = { ok: true; value: Value } | { ok: false; problem: string };

type Ports = NonNullable<RunInput["ports"]>;
type Volumes = NonNullable<RunInput["volumes"]>;

/** Reads each line that says something; the first that cannot be read is the problem. */
function readLines<Item>(text: string, form: string, read: (line: string) => Item | null): Read<Item[]> {
  const value: Item[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "") continue;
    const item = read(line);
    if (item === null) return { ok: false, problem: `“${line}” is not written like ${form}.` };
    value.push(item);
  }
  return { ok: true, value };
}

/** `8080:80` or `53:53/udp`, a line each. */
export function readPorts(text: string, reach: "loopback" | "lan"): Read<Ports> {
  return readLines(text, "8080:80", (line) => {
    const [, host, container, protocol = "tcp"] = /^(\d{1,5}):(\d{1,5})(?:\/(tcp|udp))?$/.exec(line) ?? [];
    if (host === undefined || container === undefined) return null;
    return { host: Number(host), container: Number(container), protocol: protocol === "udp" ? "udp" : "tcp", reach };
  });
}

/** `NAME=value`, a line each; spaces within the value stay. */
export function readEnvironment(text: string): Read<Record<string, string>> {
  const pairs = readLines(text, "NAME=value", (line): [string, string] | null => {
    const equals = line.indexOf("=");
    return equals < 1 || /\s/.test(line.slice(0, equals)) ? null : [line.slice(0, equals), line.slice(equals + 1)];
  });
  return pairs.ok ? { ok: true, value: Object.fromEntries(pairs.value) } : pairs;
}

/** `data:/path` or `data:/path:ro`, a line each. */
export function readVolumes(text: string): Read<Volumes> {
  return readLines(text, "data:/var/lib/data", (line) => {
    const [, name, path, mode] = /^((?!orrery-)[a-zA-Z0-9][\w.-]+):(\/[^:]+)(?::(ro|rw))?$/.exec(line) ?? [];
    return name === undefined || path === undefined ? null : { name, path, read_only: mode === "ro" };
  });
}
