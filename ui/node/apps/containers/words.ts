import type { Container, ContainerStats, Image, Owner } from "../../../../src/node/apps/containers/contract.ts";
import { bytesText, percent } from "../../../client/format.ts";
import type { State } from "../../../kit/status.tsx";

const states: Record<string, [state: State, word: string]> = {
  created: ["off", "Never started"],
  running: ["ok", "Running"],
  paused: ["info", "Paused"],
  restarting: ["warn", "Keeps restarting"],
  removing: ["busy", "Being removed…"],
  exited: ["off", "Stopped"],
  dead: ["crit", "Dead"],
};

/** Shape and word of a container's state; its end and its health are part of Docker's own words. */
export function containerState({ state, status }: Pick<Container, "state" | "status">): { state: State; word: string } {
  if (state === "running" && status.includes("(unhealthy)")) return { state: "warn", word: "Running, unhealthy" };
  if (state === "running" && status.includes("(health: starting)")) return { state: "busy", word: "Starting…" };
  const code = /^Exited \((\d+)\)/.exec(status)?.[1] ?? "0";
  // A stop that was not heeded leaves this, and so does the kernel where memory runs out.
  if (state === "exited" && code === "137") return { state: "off", word: "Killed" };
  // 143 is what a stop leaves.
  if (state === "exited" && !["0", "143"].includes(code)) return { state: "crit", word: `Ended with code ${code}` };
  const [shape, word] = states[state] ?? ["unknown", state];
  return { state: shape, word };
}

type Port = Container["ports"][number];

/** A port as people write it: where it is on the server, and what it is inside. */
export function portWords({ host, container, protocol }: Port): string {
  const inside = protocol === "tcp" ? `${container}` : `${container}/${protocol}`;
  return host === null || host === container ? inside : `${host} → ${inside}`;
}

const loopback = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** Where a port opens from this browser; null when it does not: no web page, inside only, or on the server only. */
export function portUrl(port: Port, page: Pick<Location, "hostname"> = location): string | null {
  if (port.host === null || port.protocol !== "tcp") return null;
  const isOnServer = loopback.has(page.hostname);
  if (port.bind !== null && loopback.has(port.bind) && !isOnServer) return null;
  const isEverywhere = port.bind === null || port.bind === "0.0.0.0" || loopback.has(port.bind);
  return `http://${isEverywhere ? page.hostname : port.bind}:${port.host}/`;
}

/** Whose it is, in a word or two; null when it is nobody's. */
export function ownerWords(owner: Owner | null, project: string | null): string | null {
  if (owner === null) return project;
  if (owner.kind === "app") return owner.name;
  return owner.kind === "kept_data" ? "Uninstalled app" : "Another Orrery";
}

const checkErrors: Record<string, string> = {
  image_forbidden: "Needs a login",
  image_not_found: "Gone from its registry",
  image_wrong_arch: "Newer one fits no more",
  registry_rate_limit: "Asked too often",
  registry_unreachable: "Not reached",
  registry_refused: "Not called",
};

/** Why it is not known whether there is a newer image, in a word or two. */
export const checkErrorWords = (code: string): string => checkErrors[code] ?? "No answer";

/** Why no registry was asked for newer images, and what that means. */
export const uncheckedWords: Record<NonNullable<Image["unchecked"]>, [word: string, why: string]> = {
  unused: ["Not asked", "No container is made of it."],
  owned: ["Left to its app", "Apps bring newer images with their updates."],
  pinned: ["Stays the same", "Its container names it by its content."],
  local: ["Made here", "It came from no registry."],
  off: ["Checks are off", "Settings, Apps turns them on; Check now asks once."],
  waiting: ["Not asked yet", "Its turn comes within hours; Check now asks at once."],
};

/** Names with how many more there are. */
export function fewNames(names: readonly string[]): string {
  return names.length > 2 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
}

/** True when a row has the words of a search in one of its texts. */
export function fits(search: string, ...texts: (string | null)[]): boolean {
  const all = texts.join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** How much of one core a container uses; null where that is not known, as of one that does not run. */
export function processorWords(used: ContainerStats | undefined): string | null {
  return used === undefined ? null : `${percent(used.cpu_percent)} of one core`;
}

/** How much memory a container has, and may have; null where that is not known. */
export function memoryWords(used: ContainerStats | undefined): string | null {
  if (used === undefined || used.memory_bytes === null) return null;
  const now = bytesText(used.memory_bytes, "memory");
  return used.memory_limit_bytes === null ? now : `${now} of ${bytesText(used.memory_limit_bytes, "memory")}`;
}
