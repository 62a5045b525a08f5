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

/** What a node says. Numbers of frames are its own choice; answers carry them. */
export type NodeFrame<Heartbeat = HeartbeatInput> = { kind: "heartbeat"; id: number; heartbeat: Heartbeat };

/** What a panel says. A refusal without a number is about the session, which ends with it. */
export type PanelFrame<Answer = HeartbeatOutput> =
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "refusal"; id: number | null; refusal: FrameRefusal }
  /** Something waits for the node: it is to send a heartbeat now. */
  | { kind: "wake" };

/** A frame as it travels. */
export const frameText = (frame: NodeFrame | PanelFrame): string => `${JSON.stringify(frame)}\n`;

/** Says only that this side is there. */
export const KEEP_ALIVE = "\n";

type Raw = Readonly<Record<string, unknown>>;

/** Reads what a node says; null for a kind that this panel does not know. Throws `FrameError` for one without its number. */
export function readNodeFrame(raw: Raw): NodeFrame<unknown> | null {
  if (raw["kind"] !== "heartbeat") return null;
  return { kind: "heartbeat", id: numberOf(raw), heartbeat: raw["heartbeat"] };
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
    default:
      return null;
  }
}

function numberOf({ id }: Raw): number {
  if (typeof id === "number" && Number.isSafeInteger(id)) return id;
  throw new FrameError("a frame has no number");
}

function readRefusal(value: unknown): FrameRefusal {
  if (!isRecord(value)) throw new FrameError("a refusal says nothing");
  const { status, code, message, params, retry_after_s: wait } = value;
  if (typeof status !== "number" || typeof code !== "string") throw new FrameError("a refusal has no code");
  return {
    status,
    code,
    message: typeof message === "string" ? message : code,
    params: isRecord(params) ? params : {},
    ...(typeof wait === "number" ? { retry_after_s: wait } : {}),
  };
}
