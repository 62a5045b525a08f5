import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { parseAddress } from "../../../kernel/outgoing/address.ts";
import { createConnections, openReply } from "../../../kernel/outgoing/exchange.ts";
import { onAddresses } from "../../../kernel/outgoing/find-addresses.ts";
import { gatherBytes } from "../../../kernel/outgoing/gather-bytes.ts";
import { OutgoingError } from "../../../kernel/outgoing/index.ts";
import { findFault, onNamed, reachNamed, within } from "../../../kernel/outgoing/named-servers.ts";
import { isOwnAddress } from "../../../kernel/outgoing/ranges.ts";
import { parseTarget, type Target } from "../../../kernel/outgoing/target.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes } from "../../../lib/duration.ts";
import { EngineFailure } from "./failure.ts";
import { type Pace, paced } from "./pace.ts";
import { MOST_FILE_BYTES, type Range } from "./target.ts";

export interface HttpRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: Uint8Array;
  /** What is taken of a body that has what was asked for: so many bytes at most, or a piece, from a server that answers with all, too. */
  takes?: number | Range | undefined;
}

export interface HttpReply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** It was asked more than once, so an earlier question may have done what it says. */
  wasRepeated: boolean;
}

/** Questions to a server that an admin named, each put again where that may help. */
export interface HttpClient {
  /** Any status is a reply, redirects too, which are never followed. Throws `target_away`, and `target_refused` for one that is too large. */
  send(request: HttpRequest): Promise<HttpReply>;
  warnings(): readonly string[];
}

/** What is read of a refusal: it says why in its first words. */
const MOST_REFUSAL = 64 * 1024;
const PARTIAL = 206;
const PAUSES_MS = [500, 2000, 8000];
const PATIENCE_MS = minutes(10);
const SKEW_MS = minutes(5);
const PASSING = new Set([429, 500, 502, 503, 504]);

/** What a body has from one byte on up to another; the rest is not waited for. `passes` is told of the length of each piece. */
async function* cut(
  body: AsyncIterable<unknown>,
  from: number,
  to: number,
  passes: (length: number) => unknown,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const piece of body) {
    if (!(piece instanceof Uint8Array)) continue;
    await passes(piece.length);
    if (at + piece.length > from) yield piece.subarray(Math.max(0, from - at), to - at);
    at += piece.length;
    if (at >= to) return;
  }
}

async function readBody(reply: IncomingMessage, takes: HttpRequest["takes"], pace: Pace | null): Promise<Buffer> {
  const { statusCode = 0 } = reply;
  const tooLarge = () => new OutgoingError("too_large", "The reply is larger than anything in a repository.");
  const read = (from: number, to: number, most = to - from) =>
    gatherBytes(cut(reply, from, to, pace ?? (() => {})), most, tooLarge);
  if (statusCode < 200 || statusCode >= 300) return await read(0, MOST_REFUSAL);
  const isPiece = typeof takes === "object";
  if (isPiece && statusCode !== PARTIAL) return await read(takes.at, takes.at + takes.length);
  const most = isPiece ? takes.length : (takes ?? MOST_FILE_BYTES);
  const body = await read(0, Number.POSITIVE_INFINITY, most);
  if (!reply.complete) throw new OutgoingError("reset", "The connection ended before the reply was complete.");
  return body;
}

/** What passes by itself. */
const mayPass = (error: unknown): boolean =>
  error instanceof OutgoingError && ["connect", "timeout", "reset"].includes(error.reason);

/**
 * A client that never calls one of these ports on this machine. Whoever waits for its answer wants `pauses` short or none. Bodies wait
 * for `pace`, those of replies, too.
 */
export function createHttpClient(
  clock: Clock,
  ownPorts: readonly number[],
  pauses: readonly number[] = PAUSES_MS,
  pace: Pace | null = null,
): HttpClient {
  const connections = createConnections();
  const reach = reachNamed(ownPorts);
  const warnings = new Set<string>();
  const inPieces = pace ? (body: Uint8Array) => paced(body, pace) : undefined;

  function look(target: Target, address: string, reply: IncomingMessage): void {
    const parsed = parseAddress(address);
    if (parsed && isOwnAddress(parsed))
      warnings.add("It is this same machine: what takes the machine takes its backups, too.");
    const said = Date.parse(reply.headers.date ?? "");
    if (Math.abs(said - clock.now()) > SKEW_MS)
      warnings.add(`The clock of ${target.host} and that of this server are more than five minutes apart.`);
  }

  async function ask(request: HttpRequest): Promise<Omit<HttpReply, "wasRepeated">> {
    const target = parseTarget(request.url);
    return await within(clock, request.body || pace ? PATIENCE_MS : PATIENCE_MS / 5, target, (signal) =>
      onNamed(reach, target, async (address) => {
        const reply = await openReply(target, address, request, { connections, ca: undefined, signal, inPieces });
        look(target, address, reply);
        return {
          status: reply.statusCode ?? 0,
          headers: reply.headers,
          body: await readBody(reply, request.takes, pace),
        };
      }),
    );
  }

  return {
    async send(request) {
      for (let tries = 0; ; tries += 1) {
        const pause = pauses[tries];
        try {
          const reply = await ask(request);
          if (pause === undefined || !PASSING.has(reply.status)) return { ...reply, wasRepeated: tries > 0 };
        } catch (error) {
          if (!(error instanceof OutgoingError)) throw error;
          if (error.reason === "too_large") throw new EngineFailure("target_refused", error.message);
          if (pause === undefined || !mayPass(error)) throw new EngineFailure("target_away", error.message);
        }
        await clock.sleep(pause);
      }
    },
    warnings: () => [...warnings],
  };
}

/** Lets `call` try the vetted addresses of a server. Throws `target_away` and `target_refused`, and what `call` throws. */
export async function onReachable<Result>(
  host: string,
  port: number,
  ownPorts: readonly number[],
  call: (address: string) => Promise<Result>,
): Promise<Result> {
  const name = host.includes(":") ? `[${host}]` : host;
  try {
    return await onAddresses(reachNamed(ownPorts), parseTarget(`https://${name}:${port}/`), call);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw new EngineFailure(error.reason === "blocked_address" ? "target_refused" : "target_away", error.message);
  }
}

/** Throws `target_refused` for an address that is never called; asks nobody. */
export function checkUrl(url: string, ownPorts: readonly number[]): void {
  const fault = findFault(url, ownPorts);
  if (fault !== null) throw new EngineFailure("target_refused", fault);
}
