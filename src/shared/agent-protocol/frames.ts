import { isRecord } from "../../lib/json.ts";
import type { HeartbeatInput, HeartbeatOutput } from "./contract.ts";
import { FrameError } from "./frame-reader.ts";

/**
 * The session of a node: `GET` of the control path with this in `Upgrade`, the answer 101, and from there on lines of JSON
 * in both directions on the same connection. Every line is a frame, told apart by `kind`; one of a kind that the other side
 * does not know is passed over.
 */
export const SESSION_PROTOCOL = "orrery-agent/1";

/** Most bytes of a frame: a heartbeat of a node with a thousand apps and the output of its commands, and what is around it. */
export const NODE_FRAME_BYTES = 1_048_576 + 256;
/** A hundred commands. */
export const PANEL_FRAME_BYTES = 2_097_152;

/** Why something was not done, as a plain request would be answered. */
export interface FrameRefusal {
  status: number;
  code: string;
  message: string;
  params: Readonly<Record<string, unknown>>;
  /** Seconds, when the panel names them. */
  retry_after_s?: number;
}

/** Why a stream ended before what was asked for. */
export interface StreamFailure {
  code: string;
  message: string;
}

/** What a node says. Numbers of frames are its own choice; answers carry them. */
export type NodeFrame<Heartbeat = HeartbeatInput> =
  | { kind: "heartbeat"; id: number; heartbeat: Heartbeat }
  /** What the panel may open streams of; a node that does not say it has none. */
  | { kind: "hello"; services: readonly string[] }
  | { kind: "data"; stream: number; data: unknown }
  /** The panel may send so many bytes more. */
  | { kind: "credit"; stream: number; bytes: number }
  /** The last frame of a stream, also of one that the panel closed. */
  | { kind: "close"; stream: number; failure: StreamFailure | null };

/** What a panel says. A refusal without a number is about the session, which ends with it. */
export type PanelFrame<Answer = HeartbeatOutput> =
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "refusal"; id: number | null; refusal: FrameRefusal }
  /** Something waits for the node: it is to send a heartbeat now. */
  | { kind: "wake" }
  /** Begins a stream of one of the node's services; numbers rise within a session. */
  | { kind: "open"; stream: number; service: string; params: Readonly<Record<string, unknown>>; credit: number }
  /** The node may send so many bytes more. */
  | { kind: "credit"; stream: number; bytes: number }
  /** What whoever opened the stream says to the node, such as what is typed. */
  | { kind: "data"; stream: number; data: unknown }
  | { kind: "close"; stream: number };

/** A frame as it travels. */
export const frameText = (frame: NodeFrame | PanelFrame): string => `${JSON.stringify(frame)}\n`;

/** What the panel lets a node send on a stream before the first of it was taken. */
export const STREAM_WINDOW = 131_072;
/** What the panel may send on a stream before the node took any of it: people type, and little waits on a connection. */
export const STREAM_INPUT_WINDOW = 4_096;
/** Streams of one session at a time. */
export const STREAMS_MAX = 32;
/** Most bytes of a frame of a stream. */
export const STREAM_FRAME_BYTES = 131_072;
const STREAM_FRAME_COST = 64;
const BYTES_OF_VALUE = 8;

/**
 * Most values of JSON in a frame of a stream: those that wait for a reader take room in memory, and small ones the most for their
 * bytes.
 */
export const streamValues = (bytes: number): number => STREAM_FRAME_COST + bytes / BYTES_OF_VALUE;

/** What a frame of so many bytes takes from a stream's credit: a flood of small ones is bounded too. */
export const streamCost = (bytes: number): number => bytes + STREAM_FRAME_COST;

/** Says only that this side is there. */
export const KEEP_ALIVE = "\n";

type Raw = Readonly<Record<string, unknown>>;

/** Reads what a node says; null for a kind that this panel does not know. Throws `FrameError` for one that is not whole. */
export function readNodeFrame(raw: Raw): NodeFrame<unknown> | null {
  switch (raw["kind"]) {
    case "heartbeat":
      return { kind: "heartbeat", id: numberOf(raw), heartbeat: raw["heartbeat"] };
    case "hello":
      return { kind: "hello", services: readServices(raw["services"]) };
    case "data":
      return { kind: "data", stream: wholeOf(raw, "stream"), data: raw["data"] };
    case "credit":
      return { kind: "credit", stream: wholeOf(raw, "stream"), bytes: wholeOf(raw, "bytes") };
    case "close":
      return { kind: "close", stream: wholeOf(raw, "stream"), failure: readFailure(raw["failure"]) };
    default:
      return null;
  }
}

/** Reads what a panel says; null for a kind that this node does not know. Throws `FrameError` for one that is not whole. */
export function readPanelFrame(raw: Raw): PanelFrame<unknown> | null {
  switch (raw["kind"]) {
    case "wake":
      return { kind: "wake" };
    case "answer":
      return { kind: "answer", id: numberOf(raw), answer: raw["answer"] };
    case "refusal":
      return { kind: "refusal", id: raw["id"] === null ? null : numberOf(raw), refusal: readRefusal(raw["refusal"]) };
    case "open":
      return {
        kind: "open",
        stream: wholeOf(raw, "stream"),
        service: String(raw["service"]),
        params: isRecord(raw["params"]) ? raw["params"] : {},
        credit: wholeOf(raw, "credit"),
      };
    case "credit":
      return { kind: "credit", stream: wholeOf(raw, "stream"), bytes: wholeOf(raw, "bytes") };
    case "data":
      return { kind: "data", stream: wholeOf(raw, "stream"), data: raw["data"] };
    case "close":
      return { kind: "close", stream: wholeOf(raw, "stream") };
    default:
      return null;
  }
}

function numberOf({ id }: Raw): number {
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  throw new FrameError("a frame has no number");
}

function wholeOf(raw: Raw, field: string): number {
  const value = raw[field];
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new FrameError(`a frame has no ${field}`);
}

const MAX_SERVICES = 20;
const MAX_SERVICE = 64;
const MAX_FAILURE = 500;

function readServices(value: unknown): string[] {
  if (!Array.isArray(value)) throw new FrameError("a node says hello without its services");
  return value.slice(0, MAX_SERVICES).filter((each) => typeof each === "string" && each.length <= MAX_SERVICE);
}

function readFailure(value: unknown): StreamFailure | null {
  if (value === null || value === undefined) return null;
  if (!isRecord(value)) throw new FrameError("a stream ends without a reason");
  const { code, message } = value;
  if (typeof code !== "string" || !/^[a-z][a-z0-9_]{0,63}$/.test(code))
    throw new FrameError("a stream ends without a code");
  return { code, message: typeof message === "string" ? message.slice(0, MAX_FAILURE) : code };
}

function readRefusal(value: unknown): FrameRefusal {
  if (!isRecord(value)) throw new FrameError("a refusal says nothing");
  const { status, code, message, params, retry_after_s: wait } = value;
  if (typeof status !== "number" || typeof code !== "string") throw new FrameError("a refusal has no code");
  return {
    status,
    code,
    message: (typeof message === "string" ? message : code).slice(0, MAX_FAILURE),
    params: isRecord(params) ? params : {},
    ...(typeof wait === "number" ? { retry_after_s: wait } : {}),
  };
}
