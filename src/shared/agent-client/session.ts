import type { TLSSocket } from "node:tls";
import type { Clock } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";
import {
  FrameReader,
  type FrameSink,
  frameText,
  type HeartbeatInput,
  PANEL_FRAME_BYTES,
  readPanelFrame,
} from "../agent-protocol/index.ts";
import { wordIn } from "./collect-reply.ts";
import { late } from "./connection.ts";
import type { AgentEndpoint } from "./endpoint.ts";
import { AgentCallError, refused } from "./failures.ts";
import { createStreamServer, type StreamServices } from "./serve-streams.ts";
import { socketFailure } from "./socket-failure.ts";

/** Told of what nobody asked for. */
export interface SessionEvents {
  /** The panel asks for a heartbeat. */
  onWake(): void;
  /** The session ended while nobody waited for an answer. */
  onEnd(error: AgentCallError): void;
  /** What the panel may open streams of. */
  services: StreamServices;
}

const TICK_MS = seconds(5);
/** Ticks that an answer may take: 30 to 35 seconds. */
const ANSWER_TICKS = 7;
/** Ticks without a byte: the panel says something every 15 seconds. */
const SILENT_TICKS = 10;
/** Values of JSON that a panel may say between two ticks: a thousand commands and all that people type are a tenth of that. */
const MAX_VALUES = 100_000;
/** What a panel that does not read may keep in memory: several times the windows of all its streams and the longest heartbeat. */
const MAX_UNREAD_BYTES = 16_777_216;

interface Asked {
  id: number;
  resolve(answer: unknown): void;
  reject(error: AgentCallError): void;
}

/** The node's end of a session. A load tool holds ten thousand of them. */
export class AgentSession implements FrameSink {
  readonly #socket: TLSSocket;
  readonly #endpoint: AgentEndpoint;
  readonly #events: SessionEvents;
  readonly #frames = new FrameReader(PANEL_FRAME_BYTES);
  readonly #stopTicks: () => void;
  readonly #streams: ReturnType<typeof createStreamServer>;
  #asked: Asked | null = null;
  #sent = 0;
  #isOpen = true;
  #silent = 0;
  #waited = 0;
  /** Values that were read until the last tick. */
  #valuesBefore = 0;

  /** Takes the connection on which a session began, and the bytes that came with the beginning. */
  constructor(
    clock: Pick<Clock, "every">,
    { socket, endpoint, ahead }: { socket: TLSSocket; endpoint: AgentEndpoint; ahead: Buffer },
    events: SessionEvents,
  ) {
    this.#socket = socket;
    this.#endpoint = endpoint;
    this.#events = events;
    this.#stopTicks = clock.every(TICK_MS, () => this.#tick());
    socket.on("data", (bytes: Buffer) => this.#feed(bytes));
    socket.on("error", (error) => this.#end(socketFailure(error, endpoint)));
    socket.on("close", () => this.#end(new AgentCallError("unreachable", "The panel closed the connection.")));
    this.#streams = createStreamServer(events.services, (text) => this.#say(text));
    const services = Object.keys(events.services);
    if (services.length > 0) socket.write(frameText({ kind: "hello", services }));
    if (ahead.length > 0) this.#feed(ahead);
  }

  isOpen(): boolean {
    return this.#isOpen;
  }

  /** Sends a heartbeat and gives what the panel answered. One at a time. Throws `AgentCallError`. */
  heartbeat(heartbeat: HeartbeatInput): Promise<unknown> {
    if (this.#asked) throw new Error("one heartbeat at a time");
    return new Promise((resolve, reject) => {
      if (!this.#isOpen) return reject(new AgentCallError("unreachable", "The panel closed the connection."));
      this.#sent += 1;
      this.#waited = 0;
      this.#asked = { id: this.#sent, resolve, reject };
      this.#socket.write(frameText({ kind: "heartbeat", id: this.#sent, heartbeat }));
    });
  }

  close(): void {
    this.#end(new AgentCallError("unreachable", "The connection to the panel was closed here."), true);
  }

  /** Says something on a stream. Whoever does not read what it asks for has lost the session. */
  #say(text: string): void {
    if (!this.#isOpen) return;
    if (this.#socket.writableLength <= MAX_UNREAD_BYTES) this.#socket.write(text);
    else this.#end(new AgentCallError("garbled", "The panel does not read what it asks for."));
  }

  frame(raw: Readonly<Record<string, unknown>>, bytes: number): void {
    const frame = readPanelFrame(raw);
    if (!frame || !this.#isOpen) return;
    switch (frame.kind) {
      case "wake":
        this.#events.onWake();
        break;
      case "open":
      case "credit":
      case "data":
      case "close":
        this.#streams.take(frame, bytes);
        break;
      case "answer":
        this.#take(frame.id).resolve(frame.answer);
        break;
      case "refusal": {
        const { status, code, message, params, retry_after_s } = frame.refusal;
        const error = refused(message, { status, code, retryAfterS: retry_after_s ?? null, word: wordIn(params) });
        if (frame.id === null) this.#end(error);
        else this.#take(frame.id).reject(error);
      }
    }
  }

  /** Whoever waits for the answer with this number; throws when nobody does. */
  #take(id: number): Asked {
    const asked = this.#asked;
    if (asked?.id !== id) throw new Error("it answers something that was not asked");
    this.#asked = null;
    return asked;
  }

  #feed(bytes: Buffer): void {
    this.#silent = 0;
    try {
      this.#frames.feed(bytes, this);
      if (this.#frames.values() - this.#valuesBefore > MAX_VALUES) throw new Error("it says too much at once");
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      this.#end(new AgentCallError("garbled", `The panel's session cannot be read: ${reason}.`));
    }
  }

  #tick(): void {
    this.#valuesBefore = this.#frames.values();
    this.#silent += 1;
    this.#waited += 1;
    const isLate = this.#silent >= SILENT_TICKS || (this.#asked !== null && this.#waited >= ANSWER_TICKS);
    if (isLate) this.#end(late(this.#endpoint, "does not answer"));
  }

  #end(error: AgentCallError, isWanted = false): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#stopTicks();
    this.#streams.endAll();
    this.#socket.destroy();
    const asked = this.#asked;
    this.#asked = null;
    if (asked) asked.reject(error);
    else if (!isWanted) this.#events.onEnd(error);
  }
}
