import type { TLSSocket } from "node:tls";
import { kernelFail } from "../../../kernel/http/errors.ts";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import type { Clock } from "../../../lib/clock.ts";
import {
  FRAME_VALUES,
  FrameError,
  FrameReader,
  type FrameSink,
  FrameTooLong,
  frameText,
  KEEP_ALIVE,
  NODE_FRAME_BYTES,
  type NodeFrame,
  type PanelFrame,
  readNodeFrame,
} from "../../../shared/agent-protocol/index.ts";
import { type AgentDirectory, endsConnection, identify, type PresentedCertificate } from "./directory.ts";
import { type FailureDeps, failureOf, refusalOf } from "./failure.ts";
import { withWord } from "./final-word.ts";
import type { HeartbeatLimits } from "./heartbeat-limits.ts";
import type { ReadingBudget } from "./reading-budget.ts";
import type { AgentCall } from "./routes.ts";
import { type NodeStream, SessionStreams, type StreamRequest, type StreamState } from "./session-streams.ts";
import type { StreamBudget } from "./stream-budget.ts";

/** What all sessions share. */
export interface SessionWorld extends FailureDeps {
  directory: AgentDirectory;
  clock: Clock;
  /** Seconds that the program has lived through; stands still with it. */
  second(): number;
  /** Where heartbeats go. */
  heartbeat: AgentCall;
  limits: HeartbeatLimits;
  budget: ReadingBudget;
  streamBudget: StreamBudget;
}

type Heartbeat = Extract<NodeFrame<unknown>, { kind: "heartbeat" }>;

/** Twice the longest time between heartbeats. */
const SILENT_S = 120;
/** For an answer, and for a frame to arrive. */
const FRAME_S = 30;
/** A node that hears nothing for longer than this may ask itself whether the panel is there. */
const QUIET_S = 15;
/** What a node that does not read may keep in memory. */
const MAX_UNREAD_BYTES = 65_536;
/** Frames that may come while another one is being answered. */
const MAX_WAITING = 2;
/** Several of the largest frames; lines that only say that somebody is there cost time, too. */
const MAX_BYTES_A_SECOND = 4_194_304;
const NONE: readonly Heartbeat[] = [];
const NOTHING_LATE: readonly Buffer[] = [];
const WAKE = frameText({ kind: "wake" });

/**
 * The panel's end of a node's session. Frames are answered one after another, each under the same checks as a plain request.
 * There are tens of thousands: no timers and no listeners of its own.
 */
export class Session implements FrameSink {
  readonly presented: PresentedCertificate;
  readonly #world: SessionWorld;
  readonly #socket: TLSSocket;
  readonly #address: string;
  readonly #frames = new FrameReader(NODE_FRAME_BYTES, FRAME_VALUES);
  /** What came while its workspace had used up its time: it is read later. */
  #late = NOTHING_LATE;
  #waiting: readonly Heartbeat[] = NONE;
  /** Null for a node that never said what it has streams of. */
  #streams: SessionStreams | null = null;
  #isBusy = false;
  #isOver = false;
  /** Seconds as lived: since when it waits for the node, for the rest of a frame, or for an answer. */
  #since: number;
  /** The same: when the node last was told something. */
  #saidAt: number;
  /** Bytes of the second in which they came. */
  #came = { second: 0, bytes: 0 };
  /** What streams have of the bytes and values that are being read: it is charged by their own budget. */
  #ofStreams = { bytes: 0, values: 0 };

  constructor(world: SessionWorld, presented: PresentedCertificate, socket: TLSSocket, address: string) {
    this.#world = world;
    this.presented = presented;
    this.#socket = socket;
    this.#address = address;
    this.#since = world.second();
    this.#saidAt = this.#since;
  }

  /** True until the node was told, or showed, that this is the end. */
  isOpen(): boolean {
    return !this.#isOver && !this.#socket.destroyed;
  }

  /** Bytes of a frame that is not whole yet, and of what was not read yet. */
  held(): number {
    return this.#isOver ? 0 : this.#late.reduce((sum, { length }) => sum + length, this.#frames.held());
  }

  /** Reads what came, or leaves it, and all after it, for later: who only shares a workspace with a flood loses nothing. */
  feed(bytes: Buffer): void {
    if (this.#isOver) return;
    if (this.#late.length === 0 && !this.#world.budget.isSpent(this.#account())) this.#read(bytes);
    else {
      this.#late = [...this.#late, bytes];
      this.#socket.pause();
    }
  }

  /** The workspace whose time it takes to read what the node says. */
  #account(): string {
    const { nodeId } = this.presented;
    return this.#world.directory.find(nodeId)?.tenantId ?? nodeId;
  }

  #readLate(): void {
    // That it waits is the panel's doing.
    this.#rest();
    if (this.#world.budget.isSpent(this.#account())) return;
    const late = this.#late;
    this.#late = NOTHING_LATE;
    this.#socket.resume();
    for (const bytes of late) this.feed(bytes);
  }

  #read(bytes: Buffer): void {
    const before = this.#frames.values();
    this.#ofStreams = { bytes: 0, values: 0 };
    if (!this.#frames.isWithin()) this.#rest();
    try {
      this.#count(bytes.length);
      this.#frames.feed(bytes, this);
      if (!this.#frames.isWithin()) this.#rest();
    } catch (error) {
      this.end(error);
    } finally {
      const { bytes: ofStreams, values } = this.#ofStreams;
      this.#world.budget.spend(this.#account(), bytes.length - ofStreams, this.#frames.values() - before - values);
    }
  }

  /** Throws `too_many_requests` for more than anybody has to say. */
  #count(bytes: number): void {
    const second = this.#world.second();
    if (this.#came.second !== second) this.#came = { second, bytes: 0 };
    this.#came.bytes += bytes;
    if (this.#came.bytes > MAX_BYTES_A_SECOND) throw tooManyRequests(1);
  }

  /** Takes a frame; throws `FrameError` for one that is not whole or comes too early, and `too_many_requests`. */
  frame(raw: Readonly<Record<string, unknown>>, bytes: number, values: number): void {
    if (this.#isOver) return;
    const frame = readNodeFrame(raw);
    if (frame && this.#streams?.take(frame, bytes, values)) {
      // Somebody asked for what it carries, and it keeps to the pace at which that is granted.
      if (frame.kind === "data") {
        this.#came.bytes = Math.max(0, this.#came.bytes - bytes);
        this.#ofStreams = { bytes: this.#ofStreams.bytes + bytes, values: this.#ofStreams.values + values };
      }
      return;
    }
    // Frames that mean nothing here cost as much to read. Whoever does not keep to the pace loses the session with it.
    this.#world.limits.assertNode(this.presented.nodeId);
    if (frame?.kind === "hello") this.#welcome(frame);
    if (frame?.kind !== "heartbeat") return;
    if (this.#waiting.length === MAX_WAITING) throw new FrameError("too much comes ahead of its turn");
    if (this.#isBusy) this.#waiting = [...this.#waiting, frame];
    else void this.#work(frame);
  }

  /** What may be opened on it, for a workspace: a node that moved to another one is away for the former. */
  streamState(tenantId: string, service: string): StreamState {
    const record = this.#world.directory.find(this.presented.nodeId);
    if (!this.isOpen() || !record || record.isDeleted || record.tenantId !== tenantId) return "offline";
    return this.#streams?.state(service) ?? "unsupported";
  }

  /** Opens a stream; null when `streamState` is not ready. */
  openStream(tenantId: string, request: StreamRequest): NodeStream | null {
    if (this.streamState(tenantId, request.service) !== "ready") return null;
    const share = this.#world.streamBudget.shareOf(request.use, tenantId, request.reader);
    return this.#streams?.open(request, share) ?? null;
  }

  /** The connection is gone. */
  lose(): void {
    this.#streams?.lose();
  }

  #welcome(hello: NodeFrame<unknown>): void {
    this.#streams ??= new SessionStreams((frame) => this.#say(frame));
    this.#streams.take(hello, 0, 0);
  }

  /** Asks the node for a heartbeat. */
  wake(): void {
    this.#write(WAKE);
  }

  /** Once a second: ends what takes too long, and says something to a node that has heard nothing for a while. */
  tick(now: number): void {
    if (this.#late.length > 0 && this.isOpen()) this.#readLate();
    const limit = this.#isBusy || this.#frames.isWithin() ? FRAME_S : SILENT_S;
    // Whoever was told that it is over has had a moment to read it.
    if (this.#isOver || now - this.#since > limit) this.#socket.destroy();
    else if (now - this.#saidAt >= QUIET_S) void this.#keepAlive(now);
  }

  /** Something about the node's certificates changed: says what, and ends. */
  async revoke(): Promise<void> {
    try {
      await this.#identify();
      this.#socket.destroy();
    } catch (error) {
      this.end(await this.#withWord(error));
    }
  }

  /** Says why, and ends. */
  end(error: unknown): void {
    if (this.#isOver) return;
    const isTooLong = error instanceof FrameTooLong;
    const known = isTooLong ? kernelFail("payload_too_large", { limit_bytes: NODE_FRAME_BYTES }) : error;
    const why =
      known instanceof FrameError ? kernelFail("invalid_request", { field: "frame", reason: known.message }) : known;
    this.#say({ kind: "refusal", id: null, refusal: refusalOf(failureOf(this.#world, why)) });
    this.#close();
  }

  async #work(first: Heartbeat): Promise<void> {
    this.#isBusy = true;
    for (let next: Heartbeat | undefined = first; next && !this.#isOver; ) {
      await this.#answer(next);
      this.#rest();
      next = this.#waiting[0];
      this.#waiting = this.#waiting.length > 1 ? this.#waiting.slice(1) : NONE;
    }
    this.#isBusy = false;
  }

  async #answer({ id, heartbeat }: Heartbeat): Promise<void> {
    try {
      const identity = await this.#identify();
      if (identity) this.#world.limits.assertWorkspace(identity);
      const answer = await this.#world.heartbeat.run(heartbeat, { identity, address: this.#address });
      this.#write(`{"kind":"answer","id":${id},"answer":${JSON.stringify(answer)}}\n`);
    } catch (cause) {
      const error = await this.#withWord(cause);
      this.#say({ kind: "refusal", id, refusal: refusalOf(failureOf(this.#world, error)) });
      if (endsConnection(error)) this.#close();
    }
  }

  #withWord(error: unknown): Promise<unknown> {
    return withWord(this.#world, error, this.presented);
  }

  #identify() {
    const { directory, clock } = this.#world;
    return identify(this.presented, directory, clock.now());
  }

  /** A session must not outlive what its certificate stands for. */
  async #keepAlive(now: number): Promise<void> {
    this.#saidAt = now;
    try {
      await this.#identify();
      this.#write(KEEP_ALIVE);
    } catch (error) {
      this.end(await this.#withWord(error));
    }
  }

  /** Gives how many bytes the frame has. */
  #say(frame: PanelFrame): number {
    const text = frameText(frame);
    this.#write(text);
    return Buffer.byteLength(text) - 1;
  }

  #write(text: string): void {
    if (!this.isOpen()) return;
    // Whoever does not read what he asked for has lost the connection.
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) return void this.#socket.destroy();
    this.#socket.write(text);
    this.#saidAt = this.#world.second();
  }

  #close(): void {
    this.#isOver = true;
    this.lose();
    this.#socket.end();
  }

  #rest(): void {
    this.#since = this.#world.second();
  }
}
