import type { IncomingMessage } from "node:http";
import { createConnections, openReply, toOutgoingError } from "../../../kernel/outgoing/exchange.ts";
import { gatherBytes } from "../../../kernel/outgoing/gather-bytes.ts";
import { OutgoingError, type OutgoingRequest } from "../../../kernel/outgoing/index.ts";
import { onNamed, reachNamed, within } from "../../../kernel/outgoing/named-servers.ts";
import { parseTarget } from "../../../kernel/outgoing/target.ts";
import type { Clock } from "../../../lib/clock.ts";
import { minutes, seconds } from "../../../lib/duration.ts";

/** Somebody waits at the screen: the first byte comes within this, and each further one. */
const PATIENCE_MS = seconds(30);
/** A part of a file goes over a slow line, and a store joins parts, within this. */
const SENDING_MS = minutes(5);
/** A list of ten thousand buckets has some 2 MiB. */
const MOST_TEXT = 8 * 1024 * 1024;

/** A request whose path goes over the wire as it is: keys may have dots that an URL would resolve. */
export interface Asked extends OutgoingRequest {
  /** Path and query, instead of those of the URL. */
  path: string;
  mayRepeat: boolean;
}

/** Requests to a server that an admin named. Redirects are answers and never followed. Throws OutgoingError. */
export interface Http {
  /** Sends it. What can be asked twice is asked once more where a kept connection had ended meanwhile; nothing else is repeated. */
  open(request: Asked): Promise<IncomingMessage>;
  /** Bytes of a reply, and an error where they end early or nothing comes any more. */
  bytesOf(reply: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined>;
  /** All of a reply, up to 8 MiB. */
  textOf(reply: IncomingMessage): Promise<string>;
}

export function createHttp(clock: Clock, ownPorts: ReadonlySet<number>): Http {
  const connections = createConnections();
  const reach = reachNamed(ownPorts);

  async function send({ path, ...request }: Omit<Asked, "mayRepeat">, isKept: boolean): Promise<IncomingMessage> {
    const target = { ...parseTarget(request.url), path };
    const patience = request.body === undefined ? PATIENCE_MS : SENDING_MS;
    return await within(clock, patience, target, (signal) =>
      onNamed(reach, target, (address) =>
        openReply(target, address, request, { connections: isKept ? connections : null, ca: undefined, signal }),
      ),
    );
  }

  async function* bytesOf(reply: IncomingMessage): AsyncGenerator<Uint8Array, void, undefined> {
    const isLate = () => void reply.destroy(new Error("nothing came any more"));
    let cancel = clock.after(PATIENCE_MS, isLate);
    try {
      for await (const piece of reply) {
        cancel();
        if (piece instanceof Uint8Array) yield piece;
        cancel = clock.after(PATIENCE_MS, isLate);
      }
      if (!reply.complete) throw new OutgoingError("reset", "The connection ended before the reply was complete.");
    } catch (error) {
      throw toOutgoingError(error, false);
    } finally {
      cancel();
      reply.destroy();
    }
  }

  return {
    async open({ mayRepeat, ...request }) {
      try {
        return await send(request, mayRepeat);
      } catch (error) {
        if (!mayRepeat || !(error instanceof OutgoingError) || error.reason !== "reset") throw error;
        return await send(request, false);
      }
    },
    bytesOf,
    async textOf(reply) {
      const tooLarge = () => new OutgoingError("too_large", "The reply is larger than any that is read.");
      return (await gatherBytes(bytesOf(reply), MOST_TEXT, tooLarge)).toString("utf8");
    },
  };
}
