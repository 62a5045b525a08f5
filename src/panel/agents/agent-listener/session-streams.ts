import {
  FrameError,
  type NodeFrame,
  type PanelFrame,
  STREAM_FRAME_BYTES,
  STREAM_INPUT_WINDOW,
  STREAM_WINDOW,
  STREAMS_MAX,
  type StreamFailure,
  streamCost,
  streamValues,
} from "../../../shared/agent-protocol/index.ts";
import { chargeOf, type StreamShare, type StreamUse } from "./stream-budget.ts";

/** What somebody wants of a node for as long as they look at it. */
export interface StreamRequest {
  service: string;
  params: Readonly<Record<string, unknown>>;
  /** Which share of the panel's time its bytes are charged to, and whose turn it is there. */
  use: StreamUse;
  reader: string;
}

/** Whether a stream can be opened, and where not, why: the node is away, does not know the service, or has too many already. */
export type StreamState = "ready" | "offline" | "unsupported" | "full";

/** A stream of a node. Whoever opened it closes it. */
export interface NodeStream {
  /** What the node sends, in order; the next is let on its way as the one before was taken. Throws `StreamEnded`. */
  items: AsyncIterable<unknown>;
  /** Sends to the node once it has taken enough of what was sent before; resolves then, or when the stream is over. One at a time. */
  send(data: unknown): Promise<void>;
  close(): void;
}

/** A stream ended before what was asked for: the node said why, or its session was lost. */
export class StreamEnded extends Error {
  readonly failure: StreamFailure;

  constructor(failure: StreamFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** So much is taken before the node is told that it may send more. */
const GRANT_BYTES = STREAM_WINDOW / 4;
const LOST: StreamFailure = { code: "agent_offline", message: "The node's connection to this panel was lost." };

type Ending = "open" | "done" | StreamFailure;

/** What a stream says to its node. */
type Say = (change: { bytes: number } | { data: unknown } | "close") => number;

interface Waiting {
  data: unknown;
  cost: number;
}

class Stream implements NodeStream {
  readonly items: AsyncIterable<unknown>;
  readonly #say: Say;
  readonly #share: StreamShare;
  #waiting: Waiting[] = [];
  /** What the node may still send. */
  #credit = 0;
  /** What may be let on its way, of which the node was not told yet. */
  #owed = STREAM_WINDOW;
  /** What came and was not charged yet. */
  #unpaid = 0;
  /** Withdraws what waits for its turn to be granted; null when nothing does. */
  #withdraw: (() => void) | null = null;
  /** What the node still takes. */
  #room = STREAM_INPUT_WINDOW;
  #ending: Ending = "open";
  #isLeft = false;
  #wake = () => {};
  #wakeSender = () => {};

  constructor(say: Say, share: StreamShare) {
    this.#say = say;
    this.#share = share;
    this.items = this.#take();
  }

  /** Has `say` open it, with all credit when its workspace has time left, else with none yet. */
  begin(say: (credit: number) => void): void {
    let isSaid = false;
    this.#ask((bytes) => {
      if (isSaid) this.#say({ bytes });
    });
    say(this.#credit);
    isSaid = true;
  }

  /** Takes what the node sent. Throws `FrameError` for more than it may send. */
  receive(data: unknown, bytes: number, values: number): void {
    if (this.#credit <= 0) throw new FrameError("a stream has more than was asked for");
    if (bytes > STREAM_FRAME_BYTES) throw new FrameError("a frame of a stream is too long");
    if (values > streamValues(bytes)) throw new FrameError("a frame of a stream has too many values for its bytes");
    const cost = streamCost(bytes);
    this.#credit -= cost;
    this.#unpaid += chargeOf(cost, values);
    // What was on its way when the reader left.
    if (this.#isLeft) return;
    this.#waiting.push({ data, cost });
    this.#wake();
  }

  /** The node took so much of what it was sent; false when nothing was left that it could have taken. */
  grant(bytes: number): boolean {
    if (bytes === 0 || this.#room === STREAM_INPUT_WINDOW) return false;
    this.#room = Math.min(STREAM_INPUT_WINDOW, this.#room + bytes);
    this.#wakeSender();
    return true;
  }

  async send(data: unknown): Promise<void> {
    while (this.#room <= 0 && this.#isOpen()) {
      await new Promise<void>((resolve) => {
        this.#wakeSender = resolve;
      });
    }
    if (this.#isOpen()) this.#room -= streamCost(this.#say({ data }));
  }

  #isOpen(): boolean {
    return this.#ending === "open" && !this.#isLeft;
  }

  end(ending: Ending): void {
    if (this.#ending === "open") this.#ending = ending;
    this.#settle();
    this.#wake();
    this.#wakeSender();
  }

  close(): void {
    if (this.#isLeft) return;
    this.#isLeft = true;
    this.#waiting = [];
    this.#settle();
    this.#wake();
    this.#wakeSender();
    if (this.#ending === "open") this.#say("close");
  }

  async *#take(): AsyncGenerator<unknown> {
    while (!this.#isLeft) {
      const next = this.#waiting.shift();
      if (next) {
        this.#grant(next.cost);
        yield next.data;
      } else if (this.#ending === "done") return;
      else if (this.#ending !== "open") throw new StreamEnded(this.#ending);
      else await this.#something();
    }
  }

  #something(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #grant(cost: number): void {
    this.#owed += cost;
    if (this.#owed < GRANT_BYTES || this.#ending !== "open" || this.#withdraw) return;
    this.#ask((bytes) => this.#say({ bytes }));
  }

  /** Gives the node what it is owed by then, once it is its turn: a stream that has too much only slows down. */
  #ask(tell: (bytes: number) => void): void {
    let isGranted = false;
    const withdraw = this.#share.ask(() => {
      isGranted = true;
      this.#withdraw = null;
      const bytes = this.#owed;
      this.#owed = 0;
      this.#credit += bytes;
      tell(bytes);
      return this.#pay();
    });
    if (!isGranted) this.#withdraw = withdraw;
  }

  /** No more is granted: what came is charged now. */
  #settle(): void {
    this.#withdraw?.();
    this.#withdraw = null;
    this.#share.pay(this.#pay());
  }

  #pay(): number {
    const unpaid = this.#unpaid;
    this.#unpaid = 0;
    return unpaid;
  }
}

/** The streams of one session. A node answers each close with one of its own; until then what it had sent already is passed over. */
export class SessionStreams {
  readonly #open = new Map<number, Stream>();
  readonly #say: (frame: PanelFrame) => number;
  #services: ReadonlySet<string> = new Set();
  #last = 0;

  /** `say` gives how many bytes a frame has. */
  constructor(say: (frame: PanelFrame) => number) {
    this.#say = say;
  }

  state(service: string): StreamState {
    if (!this.#services.has(service)) return "unsupported";
    return this.#open.size >= STREAMS_MAX ? "full" : "ready";
  }

  /** Opens one at the cost of a share; ask for the state first. */
  open({ service, params }: StreamRequest, share: StreamShare): NodeStream {
    this.#last += 1;
    const stream = this.#last;
    const made = new Stream((change) => {
      if (change === "close") return this.#say({ kind: "close", stream });
      return this.#say("data" in change ? { kind: "data", stream, ...change } : { kind: "credit", stream, ...change });
    }, share);
    this.#open.set(stream, made);
    made.begin((credit) => this.#say({ kind: "open", stream, service, params, credit }));
    return made;
  }

  /** Takes a frame; false for one that belongs to no stream, or means nothing to it. Throws `FrameError`. */
  take(frame: NodeFrame<unknown>, bytes: number, values: number): boolean {
    if (frame.kind === "hello") this.#services = new Set(frame.services);
    if (frame.kind === "hello" || frame.kind === "heartbeat") return false;
    const stream = this.#open.get(frame.stream);
    if (!stream) return false;
    if (frame.kind === "data") stream.receive(frame.data, bytes, values);
    else if (frame.kind === "credit") return stream.grant(frame.bytes);
    else {
      this.#open.delete(frame.stream);
      stream.end(frame.failure ?? "done");
    }
    return true;
  }

  /** The session is over. */
  lose(): void {
    for (const stream of this.#open.values()) stream.end(LOST);
    this.#open.clear();
  }
}
