import { existsSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { hasLink } from "../../kernel/host/link-names.ts";
import { readKernelValue } from "./kernel-value.ts";

function readLink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Whether our own network is that of the server below `root`; in a container it mostly is not, and is not seen to be. */
function isOurs(root: string): boolean {
  if (root === "/") return true;
  const server = readLink(join(root, "proc/1/ns/net"));
  return server !== null && server === readLink("/proc/self/ns/net");
}

/**
 * Whether the server below `root` knows an interface by this name, also by one of the other names that an interface may have; null where
 * only its list can be seen, in which those do not stand, or the kernel does not say.
 */
export function findInterface(root: string, name: string): boolean | null {
  if (isOurs(root)) return hasLink(name);
  return !name.includes("/") && existsSync(join(root, "sys/class/net", name)) ? true : null;
}

/** What the kernel has for a key such as `net.ipv4.ip_forward` in the server's network; null where it has none, or that is not seen. */
export const readNetworkValue = (root: string, key: string): number | null =>
  isOurs(root) ? readKernelValue(root, key) : null;
