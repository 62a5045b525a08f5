import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import { type AgentDirectory, identify, type PresentedCertificate } from "./directory.ts";
import type { ReplyStream } from "./reply.ts";

/** What there is to be called for. */
export interface Wakes {
  /** Told when something begins to wait for a node. Returns how to stop that. */
  onQueued(listener: (nodeId: string) => void): () => void;
  /** How much waits for a node. */
  waiting(nodeId: string): number;
}

/** Every stream hears something this often; not all at the same moment. */
const KEEP_ALIVE_SECONDS = 15;
/** What a node that does not read may keep in memory. */
const MAX_UNREAD_BYTES = 16_384;
const WAKE = `${JSON.stringify({ wake: true })}\n`;

interface Stream {
  presented: PresentedCertificate;
  reply: ReplyStream;
  /** The second of the keep-alive round in which it is its turn. */
  turn: number;
}

/** Answers that last: on each the panel tells one node that something waits, so that it comes before its next heartbeat. */
export function createControlStreams(clock: Clock, directory: AgentDirectory, wakes: Wakes) {
  const streams = new Map<string, Stream>();
  let opened = 0;
  let second = 0;

  function end(stream: Stream): void {
    stream.reply.end();
  }

  function send(stream: Stream, text: string): void {
    if (stream.reply.unread() > MAX_UNREAD_BYTES) end(stream);
    else stream.reply.write(text);
  }

  /** A stream must not outlive what its certificate stands for. */
  async function keepAlive(stream: Stream): Promise<void> {
    try {
      await identify(stream.presented, directory, clock.now());
      send(stream, "\n");
    } catch {
      end(stream);
    }
  }

  const stops = [
    clock.every(seconds(1), () => {
      second = (second + 1) % KEEP_ALIVE_SECONDS;
      for (const stream of streams.values()) if (stream.turn === second) void keepAlive(stream);
    }),
    wakes.onQueued((nodeId) => {
      const stream = streams.get(nodeId);
      if (stream) send(stream, WAKE);
    }),
  ];

  return {
    /** Begins a node's stream; the one it had before ends. */
    open(presented: PresentedCertificate, reply: ReplyStream): void {
      const { nodeId } = presented;
      const former = streams.get(nodeId);
      const stream = { presented, reply, turn: opened++ % KEEP_ALIVE_SECONDS };
      streams.set(nodeId, stream);
      if (former) end(former);
      reply.onClose(() => {
        if (streams.get(nodeId) === stream) streams.delete(nodeId);
      });
      send(stream, wakes.waiting(nodeId) > 0 ? WAKE : "\n");
    },
    stop(): void {
      for (const stop of stops) stop();
    },
  };
}

export type ControlStreams = ReturnType<typeof createControlStreams>;
