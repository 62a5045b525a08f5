import { createChannel } from "../../lib/channel.ts";
import type { Clock } from "../../lib/clock.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Log } from "../log.ts";
import { isStillAllowed } from "./access.ts";
import type { AccessChanges } from "./access-changes.ts";

/** A text frame is one JSON object, a binary frame is data. */
export type SocketMessage = { kind: "json"; value: Record<string, unknown> } | { kind: "bytes"; bytes: Uint8Array };

/** One open connection. It ends when its handler returns, the client leaves or the program stops. */
export interface SocketSession {
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** What the client sends, in order; taking a message gives the client credit for the next. One reader. */
  readonly messages: AsyncIterable<SocketMessage>;
  sendJson(value: Record<string, unknown>): void;
  /** The same, and resolves once the client has read most of it, or the connection has ended: what waits for the client stays small. */
  sendJsonInTurn(value: Record<string, unknown>): Promise<void>;
  /** Sends data, and resolves once the client has read most of it, or the connection has ended; asks for no credit. */
  sendBytesInTurn(bytes: Uint8Array): Promise<void>;
  /** Sends data as the client gives credit for it; resolves when all is sent or the connection has ended. One at a time. */
  sendBytes(bytes: Uint8Array): Promise<void>;
}

/** Bun's part, for `new Elysia({ websocket })`: frame size, pings and an end for clients that stop reading or answering. */
export const SOCKET_LIMITS = {
  maxPayloadLength: 65_536,
  idleTimeout: 60,
  sendPings: true,
  backpressureLimit: 1_048_576,
  closeOnBackpressureLimit: true,
} as const;

/** Bytes that either side may send before the other says `{"type":"credit","bytes":n}`: Bun cannot pause a client. */
export const WINDOW_BYTES = 262_144;
/** What a frame costs besides its bytes, so that a flood of empty ones is bounded too. */
export const FRAME_COST_BYTES = 32;

/** What a client may leave unread before who sends in turn waits for it. */
const UNREAD_BYTES = 65_536;

/** How often a connection's right to be there is asked anew. */
const RECHECK_MS = 15_000;

/** The few things used of Bun's socket; Elysia's own wrapper would turn bytes into JSON. */
interface RawSocket {
  data: Record<string, unknown>;
  sendText(text: string): number;
  sendBinary(bytes: Uint8Array): number;
  getBufferedAmount(): number;
  close(code: number, reason: string): void;
}

interface Deps<Context> {
  clock: Clock;
  log: Log;
  /** Ends every connection when the program stops. */
  signal: AbortSignal;
  /** Ends one at once when its client may no longer be there; without, they are asked every 15 seconds. */
  accessChanges?: Pick<AccessChanges, "onChange">;
  /** The same where only some changes concern a client. */
  changesFor?(context: Context): Pick<AccessChanges, "onChange">;
  /** Whether its client may still be there; left out, the guard is asked again with what let it in, which may run out by itself. */
  mayStay?(context: Context): boolean;
}

/** What a `WS` route is answered by; `socket` makes it. */
export interface SocketHandler {
  open(ws: { raw: unknown; data: unknown }): void;
  close(ws: { raw: unknown }): void;
}

/**
 * Answers a route `WS /ws/…`; access is decided before the upgrade. `run` receives the
 * session and the request's context (`actor`, `params`, …) and its end closes the connection; its error is logged and
 * told without its text.
 */
export function socket<Context extends { request: Request }>(
  { clock, log, signal, accessChanges, changesFor, mayStay }: Deps<Context>,
  run: (session: SocketSession, context: Context) => Promise<void>,
): SocketHandler {
  const isAllowed = async (context: Context) => (mayStay ? mayStay(context) : isStillAllowed(context.request));
  const ends = new WeakMap<object, () => void>();
  return {
    open(ws) {
      const raw = ws.raw as RawSocket;
      const context = ws.data as Context;
      const { session, receive, drained, end } = connect(raw, signal);
      const askAgain = () => void isAllowed(context).then((stays) => stays || raw.close(1008, "access has ended"));
      const stopRecheck = clock.every(RECHECK_MS, askAgain);
      const stopListening = (changesFor?.(context) ?? accessChanges)?.onChange(askAgain);
      ends.set(raw.data, () => {
        stopRecheck();
        stopListening?.();
        end();
      });
      // Elysia would parse text frames before anybody sees them.
      raw.data["message"] = (_raw: unknown, frame: string | Uint8Array) => receive(frame);
      raw.data["drain"] = drained;
      run(session, context).then(
        () => raw.close(1000, "done"),
        (error: unknown) => {
          log.error("socket failed", { error });
          raw.close(1011, "internal");
        },
      );
    },
    close: (ws) => ends.get((ws.raw as RawSocket).data)?.(),
  };
}

function connect(raw: RawSocket, programSignal: AbortSignal) {
  const ended = new AbortController();
  const { signal } = ended;
  const queue = createChannel<{ message: SocketMessage; cost: number }>(WINDOW_BYTES / FRAME_COST_BYTES, signal);
  let granted = WINDOW_BYTES;
  let credit = WINDOW_BYTES;
  let wake = () => {};
  let drained = () => {};

  const stop = () => raw.close(1001, "the program stops");
  programSignal.addEventListener("abort", stop, { once: true });
  if (programSignal.aborted) stop();

  function end(): void {
    programSignal.removeEventListener("abort", stop);
    ended.abort();
    wake();
    drained();
  }

  function receive(frame: string | Uint8Array): void {
    const message = decode(frame);
    if (!message) {
      raw.close(1007, "text frames are JSON objects");
      return;
    }
    if (message.kind === "json" && message.value["type"] === "credit") {
      credit = Math.min(WINDOW_BYTES, credit + Math.max(0, Math.trunc(Number(message.value["bytes"])) || 0));
      wake();
      return;
    }
    const cost = FRAME_COST_BYTES + (typeof frame === "string" ? Buffer.byteLength(frame) : frame.byteLength);
    granted -= cost;
    if (granted < 0) raw.close(1008, "more was sent than credit was given for");
    if (granted >= 0) queue.push({ message, cost });
  }

  async function* take(): AsyncGenerator<SocketMessage> {
    let taken = 0;
    for await (const { message, cost } of queue) {
      taken += cost;
      if (taken >= WINDOW_BYTES / 2) {
        granted += taken;
        session.sendJson({ type: "credit", bytes: taken });
        taken = 0;
      }
      yield message;
    }
  }

  async function untilRead(): Promise<void> {
    while (!signal.aborted && raw.getBufferedAmount() > UNREAD_BYTES) {
      await new Promise<void>((resolve) => {
        drained = resolve;
      });
    }
  }

  const session: SocketSession = {
    signal,
    messages: take(),
    sendJson(value) {
      if (!signal.aborted) raw.sendText(JSON.stringify(value));
    },
    sendJsonInTurn(value) {
      session.sendJson(value);
      return untilRead();
    },
    async sendBytesInTurn(bytes) {
      for (let at = 0; at < bytes.byteLength && !signal.aborted; at += SOCKET_LIMITS.maxPayloadLength) {
        raw.sendBinary(bytes.subarray(at, at + SOCKET_LIMITS.maxPayloadLength));
        await untilRead();
      }
    },
    async sendBytes(bytes) {
      for (let at = 0; at < bytes.byteLength && !signal.aborted; ) {
        const part = bytes.subarray(at, at + Math.min(credit, SOCKET_LIMITS.maxPayloadLength));
        if (part.byteLength > 0) raw.sendBinary(part);
        credit -= part.byteLength;
        at += part.byteLength;
        if (credit > 0 || at === bytes.byteLength) continue;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
  return { session, receive, drained: () => drained(), end };
}

function decode(frame: string | Uint8Array): SocketMessage | null {
  if (typeof frame !== "string") return { kind: "bytes", bytes: frame };
  const value = parseJson(frame);
  return isRecord(value) ? { kind: "json", value } : null;
}
