import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText } from "./proc-file.ts";

const fileOf = (root: string, key: string): string => join(root, "proc/sys", ...key.split("."));

/** What the kernel has for a key such as `vm.swappiness`; null where it knows none, or has something else than a whole number. */
export function readKernelValue(root: string, key: string): number | null {
  const text = readText(fileOf(root, key))?.trim() ?? "";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** Gives the kernel another value until the next boot. Throws where it is not taken. */
export function writeKernelValue(root: string, key: string, value: number): void {
  // Without making the file: a key that is not there is one that the kernel does not know.
  writeFileSync(fileOf(root, key), `${value}\n`, { flag: "r+" });
  const now = readKernelValue(root, key);
  if (now !== value) throw new Error(`the kernel says ${now} afterwards`);
}
