import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** A port that some program on the host holds. */
export interface HeldPort {
  port: number;
  protocol: "tcp" | "udp";
}

// A kernel without IPv6 has no tables for it.
const TABLES = [
  ["tcp", "tcp"],
  ["tcp6", "tcp"],
  ["udp", "udp"],
  ["udp6", "udp"],
] as const;

/** Local ports of a `/proc/net/{tcp,udp}{,6}` table: listening TCP sockets, all UDP sockets. */
export function parseSocketTable(text: string, protocol: "tcp" | "udp"): number[] {
  return (
    text
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      // 0A is TCP_LISTEN; UDP has no such state.
      .filter((columns) => columns.length > 3 && (protocol === "udp" || columns[3] === "0A"))
      .map((columns) => Number.parseInt(columns[1]?.split(":")[1] ?? "", 16))
      .filter((port) => port > 0)
  );
}

/** The ports held on the host below `root`; seen from another root, those of process 1: our own would be our container's. */
export function readHeldPorts(root: string): HeldPort[] {
  const folder = join(root, "proc", root === "/" ? "net" : "1/net");
  return TABLES.flatMap(([table, protocol]) =>
    parseSocketTable(readText(join(folder, table)) ?? "", protocol).map((port) => ({ port, protocol })),
  );
}
