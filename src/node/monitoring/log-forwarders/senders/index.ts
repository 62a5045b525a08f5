/** The ways out: what each kind of forwarder is made of and how it sends. */
import { Value } from "@sinclair/typebox/value";
import { parseTarget } from "../../../../kernel/outgoing/target.ts";
import { type ForwarderKind, HttpConfig, LokiConfig, SyslogConfig } from "../contract.ts";
import { createHttpSender } from "./http-json.ts";
import { createLokiSender } from "./loki.ts";
import { checkPlace } from "./reach.ts";
import type { Sender, SenderPorts } from "./sender.ts";
import { createStreamSender } from "./syslog-stream.ts";
import { createUdpSender } from "./syslog-udp.ts";

export type { Sender, SenderPorts, SendResult } from "./sender.ts";

export const CONFIG_SCHEMAS = { syslog: SyslogConfig, loki: LokiConfig, http: HttpConfig } as const;

/** A configuration that has been checked, with the kind that it is for. */
export type CheckedConfig =
  | { kind: "syslog"; config: SyslogConfig }
  | { kind: "loki"; config: LokiConfig }
  | { kind: "http"; config: HttpConfig };

/** The configuration as what it is; null when it does not fit its kind. */
export function asChecked(kind: ForwarderKind, config: unknown): CheckedConfig | null {
  if (kind === "syslog") return Value.Check(SyslogConfig, config) ? { kind, config } : null;
  if (kind === "loki") return Value.Check(LokiConfig, config) ? { kind, config } : null;
  return Value.Check(HttpConfig, config) ? { kind, config } : null;
}

/** Where the lines go. */
export function destinationOf({ kind, config }: CheckedConfig): {
  place: { host: string; port: number };
  transport: "tcp" | "udp";
} {
  if (kind !== "syslog") return { place: parseTarget(config.url), transport: "tcp" };
  return { place: config, transport: config.transport === "udp" ? "udp" : "tcp" };
}

/** Throws OutgoingError for a place that is never called; asks nobody. */
export const checkDestination = (ownPorts: ReadonlySet<number>, checked: CheckedConfig): void =>
  checkPlace(ownPorts, destinationOf(checked).place);

/** Where the secret of a forwarder travels: it must be entered anew when that changes, or a stored one could be lured away. */
export function secretPath({ kind, config }: CheckedConfig): string {
  if (kind === "syslog") return "";
  const { origin } = new URL(config.url);
  return kind === "loki" ? `${origin} ${config.user ?? ""}` : `${origin} ${(config.header ?? "").toLowerCase()}`;
}

/** Opens the way to one receiver; nothing is connected before the first line. */
export function createSender(ports: SenderPorts, { kind, config }: CheckedConfig, secret: string | null): Sender {
  if (kind === "loki") return createLokiSender(ports, config, secret);
  if (kind === "http") return createHttpSender(ports, config, secret);
  return config.transport === "udp" ? createUdpSender(ports, config) : createStreamSender(ports, config);
}
