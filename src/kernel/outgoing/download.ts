import type { IncomingMessage } from "node:http";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { parseAddress } from "./address.ts";
import { OutgoingError } from "./contract.ts";
import { openReply, toOutgoingError } from "./exchange.ts";
import { onAddresses, type Reach } from "./find-addresses.ts";
import { describeBlock } from "./ranges.ts";
import { parseTarget, type Target } from "./target.ts";

/** What is wanted. */
export interface DownloadRequest {
  url: string;
  /** Longer ones are refused. */
  maxBytes: number;
  /** Goes on after these bytes, as long as the file has still that `ETag`. */
  from?: { bytes: number; etag: string } | undefined;
  signal: AbortSignal;
}

/** A file on its way. */
export interface Download {
  /** What it begins with: `from.bytes`, or 0 when the other side does not go on there. */
  offset: number;
  /** Bytes of the whole file; null when the other side does not tell. */
  total: number | null;
  /** By which it is known again; null when it cannot be gone on with. */
  etag: string | null;
  /** To be read to its end or left. Throws OutgoingError. */
  body: AsyncIterable<Uint8Array>;
}

/** Fetches files too large for memory from places that the owner of the server named. */
export interface Downloads {
  /** Waits for the beginning. Follows redirects, each to vetted addresses and never away from https. Throws OutgoingError. */
  open(request: DownloadRequest): Promise<Download>;
}

const HEAD_MS = seconds(30);
/** Silence in the middle. */
const STALL_MS = seconds(30);
const MAX_REDIRECTS = 5;

export interface DownloadsOptions extends Reach {
  clock: Pick<Clock, "after">;
  /** Certificates to trust instead of the system's, PEM. */
  ca?: string;
}

/** The guarded client for files. http:// is for allowed addresses off the public internet alone. */
export function createDownloads({ clock, ca, ...reach }: DownloadsOptions): Downloads {
  function assertPrivate(target: Target, address: string): void {
    const parsed = parseAddress(address);
    if (target.isTls || (parsed && describeBlock(parsed, []))) return;
    throw new OutgoingError("bad_url", `${target.host} is on the public internet: https:// is needed there.`);
  }

  /** Sends it to one address. The signal's end ends the reply too. */
  async function ask(target: Target, address: string, request: DownloadRequest, stop: AbortController) {
    assertPrivate(target, address);
    const { from } = request;
    const headers = from ? { range: `bytes=${from.bytes}-`, "if-range": from.etag } : {};
    const cancel = clock.after(HEAD_MS, () => stop.abort());
    try {
      const way = { connections: null, ca, signal: stop.signal };
      return await openReply(target, address, { method: "GET", url: request.url, headers }, way);
    } catch (error) {
      const isLate = stop.signal.aborted && !request.signal.aborted;
      if (isLate) throw new OutgoingError("timeout", `${target.host} did not answer within ${HEAD_MS / 1000} seconds.`);
      throw toOutgoingError(error, target.isTls);
    } finally {
      cancel();
    }
  }

  async function* read(reply: IncomingMessage, left: number, isTls: boolean): AsyncIterable<Uint8Array> {
    let room = left;
    const stalled = () => reply.destroy(new OutgoingError("timeout", `Nothing came for ${STALL_MS / 1000} seconds.`));
    let cancel = clock.after(STALL_MS, stalled);
    try {
      for await (const part of reply) {
        cancel();
        if (!(part instanceof Uint8Array)) continue;
        room -= part.length;
        if (room < 0) throw new OutgoingError("too_large", "The file is larger than it may be.");
        yield part;
        cancel = clock.after(STALL_MS, stalled);
      }
      if (!reply.complete) throw new OutgoingError("reset", "The connection ended before the file was complete.");
    } catch (error) {
      throw toOutgoingError(error, isTls);
    } finally {
      cancel();
      reply.destroy();
    }
  }

  async function open(request: DownloadRequest, redirects: number): Promise<Download> {
    const target = parseTarget(request.url);
    const stop = new AbortController();
    request.signal.throwIfAborted();
    request.signal.addEventListener("abort", () => stop.abort(), { once: true });
    const reply = await onAddresses(reach, target, (address) => ask(target, address, request, stop), {
      signal: stop.signal,
    });
    const { statusCode: status = 0, headers } = reply;
    const next = status >= 301 && status <= 308 && status !== 304 ? headers.location : undefined;
    if (next !== undefined) {
      reply.destroy();
      return open({ ...request, url: redirected(request.url, next, redirects) }, redirects + 1);
    }
    const offset = status === 206 ? startOf(headers["content-range"]) : 0;
    if ((status !== 200 && status !== 206) || (offset !== 0 && offset !== request.from?.bytes)) {
      reply.destroy();
      throw new OutgoingError("status", `${request.url} answered with ${status}.`, status);
    }
    const length = headers["content-length"];
    const total = length === undefined ? null : offset + Number(length);
    if (total !== null && total > request.maxBytes) {
      reply.destroy();
      throw new OutgoingError("too_large", `The file is larger than ${request.maxBytes} bytes.`, status);
    }
    const { etag } = headers;
    const body = read(reply, request.maxBytes - offset, target.isTls);
    // A weak one says nothing about bytes.
    return { offset, total, etag: etag === undefined || etag.startsWith("W/") ? null : etag, body };
  }

  return { open: (request) => open(request, 0) };
}

function redirected(from: string, location: string, redirects: number): string {
  const next = URL.canParse(location, from) ? new URL(location, from) : null;
  if (!next || redirects >= MAX_REDIRECTS) throw new OutgoingError("redirect", `${from} leads nowhere.`);
  if (from.startsWith("https:") && next.protocol !== "https:") {
    throw new OutgoingError("redirect", `${from} leads away from https, which is not followed.`);
  }
  return next.href;
}

function startOf(contentRange: string | undefined): number {
  return Number(/^bytes (\d+)-/.exec(contentRange ?? "")?.[1] ?? Number.NaN);
}
