import { join } from "node:path";
import { readText } from "../proc-file.ts";

/** What udev remembers of a device, by its `major:minor`: `E:KEY=value` lines. Empty where it keeps nothing. */
export function readUdev(root: string, dev: string): ReadonlyMap<string, string> {
  const text = readText(join(root, "run/udev/data", `b${dev}`)) ?? "";
  return new Map([...text.matchAll(/^E:(\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]));
}
