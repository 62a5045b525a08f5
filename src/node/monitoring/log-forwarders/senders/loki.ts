import type { LokiConfig } from "../contract.ts";
import type { WaitingLine } from "../pump/followed.ts";
import { createPoster } from "./post-lines.ts";
import type { Sender, SenderPorts } from "./sender.ts";

const PUSH = "/loki/api/v1/push";
/** Each value of a label is a stream of its own there, and costs: so many sources have one, the others share one. */
const MOST_SOURCES = 100;
const LABEL_LENGTH = 128;

/** Where lines are pushed: the address as it is, or the usual path where it names none. */
export function pushUrl(url: string): string {
  const parsed = new URL(url);
  if (parsed.pathname === "/") parsed.pathname = PUSH;
  return parsed.toString();
}

/** Nanoseconds since 1970; the last six digits are lost on their way through a number, so they are taken from the text. */
export function nanoseconds(at: string): string {
  const fraction = (/\.(\d+)/.exec(at)?.[1] ?? "").slice(0, 9).padEnd(9, "0");
  const whole = Math.floor(Date.parse(at.replace(/\.\d+/, "")) / 1000);
  return `${whole}${fraction}`;
}

/** Names of sources as labels: the first hundred as they are, all others under one. */
export function createLabels(): (source: string) => { label: string; isOwn: boolean } {
  const known = new Set<string>();
  return (source) => {
    const label = source.slice(0, LABEL_LENGTH);
    if (known.size < MOST_SOURCES) known.add(label);
    return known.has(label) ? { label, isOwn: true } : { label: "other", isOwn: false };
  };
}

type Labels = Record<string, string>;

/** Lines as Loki takes them: grouped by labels, oldest first. A line whose source shares a label begins with its name. */
export function lokiBody(
  lines: readonly WaitingLine[],
  server: string,
  labelOf: ReturnType<typeof createLabels>,
): string {
  const streams = new Map<string, { stream: Labels; values: [string, string][] }>();
  for (const { at, source, level, text } of lines) {
    const { label, isOwn } = labelOf(source);
    const stream: Labels = { job: "orrery", host: server, source: label, level: level ?? "unknown" };
    const key = `${stream["source"]}\n${stream["level"]}`;
    const entry = streams.get(key) ?? { stream, values: [] };
    entry.values.push([nanoseconds(at), isOwn ? text : `${source}: ${text}`]);
    streams.set(key, entry);
  }
  return JSON.stringify({ streams: [...streams.values()] });
}

const authorization = (user: string | undefined, secret: string): string =>
  user ? `Basic ${Buffer.from(`${user}:${secret}`).toString("base64")}` : `Bearer ${secret}`;

/** Pushes to Grafana Loki, or to what speaks its protocol. */
export function createLokiSender(ports: SenderPorts, config: LokiConfig, secret: string | null): Sender {
  const post = createPoster(ports, config.ca, secret);
  const url = pushUrl(config.url);
  const labelOf = createLabels();
  const headers = {
    ...(secret === null ? {} : { authorization: authorization(config.user, secret) }),
    ...(config.tenant ? { "x-scope-orgid": config.tenant } : {}),
  };
  return {
    settleMs: 0,
    isStanding: () => true,
    send: (lines) => post(url, headers, lokiBody(lines, ports.server(), labelOf)),
    close: () => {},
  };
}
