import type { TLSSocket } from "node:tls";
import { tooManyRequests } from "../../../kernel/http/too-many-requests.ts";
import { addressOf } from "./address-of.ts";
import { type AnswerDeps, answer } from "./answer.ts";
import type { PresentedCertificate } from "./directory.ts";
import { type AgentRequest, RequestReader, type RequestSink } from "./request-reader.ts";
import { Session, type SessionWorld } from "./session.ts";

/** What all connections share. */
export interface ConnectionWorld extends AnswerDeps, SessionWorld {
  /** A node's session begins on a connection; the one it had before has to end. */
  begun(connection: Connection, session: Session): void;
  /** A whole request came: until it is answered, the connection makes room for nobody. */
  answering(connection: Connection): void;
  answered(connection: Connection): void;
  /** Notes how many bytes of what is not whole yet a connection holds; false when it may not. */
  holds(connection: Connection, bytes: number): boolean;
}

/** Twice the longest time between heartbeats. */
const NODE_IDLE_S = 120;
/** Enough to register, little for those who only hold connections open. */
const STRANGER_IDLE_S = 10;
const REQUEST_S = 30;

/**
 * One connection to the agent port: requests first, one after another, and from the moment the node asks for it a session.
 * There are tens of thousands, so it is one object without closures.
 */
export class Connection implements RequestSink {
  readonly socket: TLSSocket;
  readonly presented: PresentedCertificate | null;
  readonly #world: ConnectionWorld;
  /** Null once there is a session. */
  #reader: RequestReader | null = new RequestReader(this);
  #session: Session | null = null;
  /** Second, as lived, of the last change between idle and busy. */
  #since: number;
  #isBusy = false;
  #isHolding = false;

  constructor(world: ConnectionWorld, socket: TLSSocket, presented: PresentedCertificate | null) {
    this.#world = world;
    this.socket = socket;
    this.presented = presented;
    this.#since = world.second();
  }

  /** The session on it, once there is one. */
  session(): Session | null {
    return this.#session;
  }

  feed(bytes: Buffer): void {
    if (this.#session) this.#session.feed(bytes);
    else this.#guarded(() => this.#reader?.feed(bytes));
    this.#count();
  }

  /** Most of what comes is whole at once, and never counted. */
  #count(): void {
    const bytes = this.#session?.held() ?? this.#reader?.held() ?? 0;
    if (bytes === 0 && !this.#isHolding) return;
    this.#isHolding = bytes > 0;
    if (!this.#world.holds(this, bytes)) this.refuse();
  }

  /** Ends it: there is no room for what it holds. */
  refuse(): void {
    if (this.#session) this.#session.end(tooManyRequests(5));
    else this.socket.destroy();
  }

  begin(path: string): number {
    this.#mark(true);
    const route = this.#world.routes.get(path);
    // Nobody without a certificate has anything to say elsewhere.
    return this.presented || route?.isOpen ? (route?.bodyLimit ?? 0) : 0;
  }

  proceed(): void {
    this.socket.write("HTTP/1.1 100 Continue\r\n\r\n");
  }

  request(request: AgentRequest): void {
    void this.#take(request);
  }

  /** Once a second: closes what waited too long, the runtime does not. */
  tick(now: number): void {
    if (this.#session) {
      this.#session.tick(now);
      if (this.#isHolding) this.#count();
    } else if (now - this.#since > this.#limit()) this.socket.destroy();
  }

  #limit(): number {
    if (this.#isBusy) return REQUEST_S;
    return this.presented ? NODE_IDLE_S : STRANGER_IDLE_S;
  }

  async #take(request: AgentRequest): Promise<void> {
    this.#world.answering(this);
    const outcome = await answer(this.#world, this.presented, request, this.socket);
    this.#world.answered(this);
    this.#mark(false);
    if (outcome === "open") this.#guarded(() => this.#reader?.next());
    if (outcome === "session") this.#become();
  }

  /** From here on the bytes are frames, also those that came ahead. */
  #become(): void {
    if (!this.presented || this.socket.destroyed) return;
    const ahead = this.#reader?.takeRest();
    this.#reader = null;
    this.#session = new Session(this.#world, this.presented, this.socket, addressOf(this.socket));
    this.#world.begun(this, this.#session);
    if (ahead && ahead.length > 0) this.#session.feed(ahead);
  }

  /** Whoever sends what is no request has lost the connection. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch {
      this.socket.destroy();
    }
  }

  #mark(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#since = this.#world.second();
  }
}
