import { join } from "node:path";
import { readText } from "./proc-file.ts";

/** A port that some program on the host holds. */
export interface HeldPort {
  /** Where it listens: `0.0.0.0` and `::` are everywhere. */
  address: string;
  port: number;
  protocol: "tcp" | "udp";
}

/** An address as the kernel writes it: words of 32 bits in the byte order of the machine, which is little-endian here. */
export function parseSocketAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) => [...Buffer.from(word, "hex").reverse()]);
  if (bytes.length === 4) return bytes.join(".");
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  if (isMapped) return bytes.slice(12).join(".");
  if (bytes.every((byte) => byte === 0)) return "::";
  if (bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1) return "::1";
  return (
    Buffer.from(bytes)
      .toString("hex")
      .match(/.{4}/g)
      ?.map((group) => Number.parseInt(group, 16).toString(16))
      .join(":") ?? ""
  );
}

// A kernel without IPv6 has no tables for it.
const TABLES = [
  ["tcp", "tcp"],
  ["tcp6", "tcp"],
  ["udp", "udp"],
  ["udp6", "udp"],
] as const;

/** Local places of a `/proc/net/{tcp,udp}{,6}` table: listening TCP sockets, all UDP sockets. */
export function parseSocketTable(text: string, protocol: "tcp" | "udp"): HeldPort[] {
  return (
    text
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      // 0A is TCP_LISTEN; UDP has no such state.
      .filter((columns) => columns.length > 3 && (protocol === "udp" || columns[3] === "0A"))
      .map((columns) => {
        const [address = "", port = ""] = columns[1]?.split(":") ?? [];
        return { address: parseSocketAddress(address), port: Number.parseInt(port, 16), protocol };
      })
      .filter(({ port }) => port > 0)
  );
}

/** The ports held on the host below `root`; seen from another root, those of process 1: our own would be our container's. */
export function readHeldPorts(root: string): HeldPort[] {
  const folder = join(root, "proc", root === "/" ? "net" : "1/net");
  return TABLES.flatMap(([table, protocol]) => parseSocketTable(readText(join(folder, table)) ?? "", protocol));
}
