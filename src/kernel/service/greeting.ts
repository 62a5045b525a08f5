import { renderUnicodeCompact } from "uqr";
import type { Host } from "./host.ts";
import type { ProgramSpec } from "./program.ts";

/** One way to reach the program, and from where it works. */
export interface ReachableUrl {
  url: string;
  from: string;
}

/** Every URL that may reach a service listening there, the most useful first. */
export function reachableUrls(host: Host, listen: { host: string; port: number }): ReachableUrl[] {
  const at = (name: string) => `http://${name}:${listen.port}`;
  const loopback = { url: at("127.0.0.1"), from: "on this machine" };
  const isEverywhere = listen.host === "0.0.0.0" || listen.host === "[::]";
  if (!isEverywhere)
    return [{ url: at(listen.host), from: isLoopback(listen.host) ? "on this machine" : "from your network" }];
  const reached = host.addresses().filter((address) => listen.host === "[::]" || !address.includes(":"));
  const name = host.hostname().split(".")[0] ?? "";
  return [
    ...reached.map((address) => ({
      url: at(address.includes(":") ? `[${address}]` : address),
      from: "from your network",
    })),
    ...(name === "" || name === "localhost" ? [] : [{ url: at(`${name}.local`), from: "where .local names work" }]),
    loopback,
  ];
}

const isLoopback = (host: string): boolean => host.startsWith("127.") || host === "[::1]" || host === "localhost";

/** What the installer prints last: where to go, the claim token while there is no owner, a code to scan. */
export function greet(spec: ProgramSpec, urls: readonly ReachableUrl[], claimToken: string | null): string[] {
  const width = Math.max(...urls.map(({ url }) => url.length));
  // The token rides in the fragment, which a browser never sends to a server.
  const first = urls[0]?.url ?? "";
  const code = claimToken === null ? first : `${first}/#claim=${claimToken}`;
  return [
    "",
    `${spec.title} ${spec.version} is running.`,
    "",
    ...urls.map(({ url, from }) => `  ${url.padEnd(width)}  ${from}`),
    "",
    ...(claimToken === null
      ? []
      : [`Claim token, asked once when you create the admin account:`, "", `  ${claimToken}`, ""]),
    ...renderUnicodeCompact(code, { border: 2 }).split("\n"),
    "",
  ];
}
