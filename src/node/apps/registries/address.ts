import { kernelFail } from "../../../kernel/http/errors.ts";
import { describeHost } from "../../../kernel/outgoing/index.ts";
import { registryHostOf } from "../runtime/index.ts";
import { fail } from "./contract.ts";

const HUB = new Set(["docker.io", "index.docker.io", "registry-1.docker.io", "hub.docker.com"]);

const wrong = (reason: string) => kernelFail("invalid_request", { field: "address", reason });

/** An address as images name it: in lower case, Docker Hub under its one name. Throws `invalid_request` for what no image can name. */
export function normalizeAddress(text: string): string {
  const address = text.toLowerCase();
  const [, port] = /:(\d+)$/.exec(address) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) throw wrong("has a port that there is not");
  if (HUB.has(address)) return "docker.io";
  if (registryHostOf(`${address}/image`) === null)
    throw wrong(`is a name without a dot, which images only have with a port, such as ${address}:5000`);
  return address;
}

/**
 * Throws `invalid_request` for a registry that must never be called, and `registry_private` for one off the public internet, unless that
 * is confirmed. A name that is not found now may be one tomorrow.
 */
export async function checkReach(address: string, isConfirmed: boolean): Promise<void> {
  const host = registryHostOf(`${address}/image`);
  const block = host === null || address === "docker.io" ? null : await describeHost(host);
  if (block === null) return;
  if (!block.canAllow) throw wrong(`is ${block.what}, which is not called`);
  if (!isConfirmed) throw fail("registry_private", { address, what: block.what });
}
