/** Both sides of a talk over the socket of the host role: frames each way, no more of them than the other side gave credit for. */
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { createChannel } from "../../../lib/channel.ts";
import { readFrame, TALK_PIECE, TALK_WINDOW, TalkFrame } from "./frames.ts";
import type { HostTalk, TalkInput } from "./host-work.ts";

const isFrame = TypeCompiler.Compile(TalkFrame);
/** What a frame costs besides its bytes, so that a flood of small ones is bounded too. */
const FRAME_COST = 32;
const costOf = (input: TalkInput): number => FRAME_COST + ("bytes" in input ? input.bytes.byteLength : 0);
const decode = (text: string): Uint8Array => Buffer.from(text, "base64");
const encode = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** What may still be sent. A frame may be begun while any credit is left, so that nobody has to cut. */
function createWindow(signal: AbortSignal) {
  let credit = TALK_WINDOW;
  let wake = (): void => {};
  signal.addEventListener("abort", () => wake(), { once: true });
  return {
    async take(cost: number): Promise<void> {
      while (credit <= 0 && !signal.aborted)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      credit -= cost;
    },
    give(bytes: number): void {
      credit = Math.min(TALK_WINDOW, credit + bytes);
      wake();
    },
  };
}

/** Gives credit back for what was taken, not for every frame. */
function createReceipts(give: (bytes: number) => void): (cost: number) => void {
  let taken = 0;
  return (cost) => {
    taken += cost;
    if (taken < TALK_WINDOW / 4) return;
    give(Math.min(taken, TALK_WINDOW));
    taken = 0;
  };
}

/** What the role tells of a talk. */
type Told = { event: "opened" } | { event: "bytes"; bytes: string } | { event: "credit"; bytes: number };

/** The role's side, until `signal` ends it; `hear` takes a line of whoever asked and is false for one that breaks the rules. */
export function createRoleTalk(
  tell: (frame: Told) => void,
  signal: AbortSignal,
): { talk: HostTalk; hear(line: string): boolean } {
  const window = createWindow(signal);
  const heard = createChannel<TalkInput>(Number.POSITIVE_INFINITY, signal);
  let granted = TALK_WINDOW;
  const receive = createReceipts((bytes) => {
    granted += bytes;
    tell({ event: "credit", bytes });
  });

  async function* take(): AsyncGenerator<TalkInput> {
    for await (const input of heard) {
      yield input;
      receive(costOf(input));
    }
  }

  return {
    talk: {
      input: take(),
      opened: () => tell({ event: "opened" }),
      async output(bytes) {
        for (let at = 0; at < bytes.byteLength && !signal.aborted; at += TALK_PIECE.role) {
          const piece = bytes.subarray(at, at + TALK_PIECE.role);
          await window.take(FRAME_COST + piece.byteLength);
          if (!signal.aborted) tell({ event: "bytes", bytes: encode(piece) });
        }
      },
    },
    hear(line) {
      const frame = readFrame(line);
      if (!isFrame.Check(frame)) return false;
      if (frame.say === "credit") {
        window.give(frame.bytes);
        return true;
      }
      const { columns, rows } = frame.say === "size" ? frame : { columns: 0, rows: 0 };
      const input = frame.say === "bytes" ? { bytes: decode(frame.bytes) } : { columns, rows };
      // One frame more than there was credit for, at most.
      if (granted <= 0) return false;
      granted -= costOf(input);
      heard.push(input);
      return true;
    },
  };
}

/** The side of whoever asked, until `signal` ends it. */
export function createAskerTalk(
  { input, opened, output }: HostTalk,
  say: (frame: TalkFrame) => void,
  signal: AbortSignal,
) {
  const window = createWindow(signal);
  const receive = createReceipts((bytes) => say({ say: "credit", bytes }));
  let last = Promise.resolve();

  async function carry(): Promise<void> {
    for await (const each of input) {
      if (signal.aborted) return;
      if ("bytes" in each) await carryBytes(each.bytes);
      else {
        await window.take(costOf(each));
        if (!signal.aborted) say({ say: "size", ...each });
      }
    }
  }

  async function carryBytes(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.byteLength && !signal.aborted; at += TALK_PIECE.asker) {
      const piece = bytes.subarray(at, at + TALK_PIECE.asker);
      await window.take(costOf({ bytes: piece }));
      if (!signal.aborted) say({ say: "bytes", bytes: encode(piece) });
    }
  }

  return {
    /** Sends on what is typed, until the talk is over. */
    carry,
    /** Takes what the role tells. */
    hear(frame: Told): void {
      if (frame.event === "opened") opened();
      else if (frame.event === "credit") window.give(frame.bytes);
      else {
        const bytes = decode(frame.bytes);
        last = last.then(() => output(bytes)).then(() => receive(FRAME_COST + bytes.byteLength));
      }
    },
    /** Resolves when all that was told so far is taken. */
    taken: (): Promise<void> => last,
  };
}
