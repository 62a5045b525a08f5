import { isRecord } from "../../../client/problem.ts";

/** A node that has just sent its first heartbeat. */
export interface Arrival {
  id: string;
  hostname: string;
  version: string | null;
}

/** The node of a `heartbeat` event; null for anything else. */
export function arrivalOf(data: unknown): Arrival | null {
  const node = isRecord(data) && isRecord(data["instance"]) ? data["instance"] : data;
  if (!isRecord(node) || typeof node["id"] !== "string" || typeof node["hostname"] !== "string") return null;
  return {
    id: node["id"],
    hostname: node["hostname"],
    version: typeof node["version"] === "string" ? node["version"] : null,
  };
}

/** Host and port that the server has to reach, from the line that it runs; null when the line names none. */
export function agentAddress(command: string): string | null {
  const url = /--panel[ =]'?(https:\/\/[^\s']+)/.exec(command)?.[1];
  if (url === undefined || !URL.canParse(url)) return null;
  const { hostname, port } = new URL(url);
  return `${hostname}:${port === "" ? "443" : port}`;
}

/** The same for a shell: `host port`, as `nc` takes it. */
export function forNetcat(address: string): string {
  const at = address.lastIndexOf(":");
  return `${address.slice(0, at).replace(/^\[|\]$/g, "")} ${address.slice(at + 1)}`;
}
