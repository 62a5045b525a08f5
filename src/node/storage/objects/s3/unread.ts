import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { AppError } from "../../../../kernel/http/errors.ts";
import type { CountUnread } from "../../../../kernel/http/unread-answers.ts";
import { minutes } from "../../../../lib/duration.ts";
import type { Needs } from "../needs.ts";
import { slowDown } from "./problem.ts";

/** So long a reader may take nothing of what was sent. */
const STALLED_MS = minutes(1);

/** An answer that is on its way. */
interface Sending {
  world: Pick<Needs, "clock">;
  response: ServerResponse;
}

/** Throws where nobody is there any more to read an answer. */
export function needReader({ response }: Pick<Sending, "response">): void {
  if (response.destroyed) throw new Error("the reader is gone");
}

/** Waits until a slow reader has taken what was sent, or is gone. One that takes nothing is, for what it was sent is in memory. */
export async function drained({ world, response }: Sending): Promise<void> {
  needReader({ response });
  const cancel = world.clock.after(STALLED_MS, () => response.destroy());
  const waiting = new AbortController();
  const { signal } = waiting;
  const gone = once(response, "close", { signal });
  const taken = once(response, "drain", { signal });
  try {
    await Promise.race([gone, taken]);
  } finally {
    cancel();
    waiting.abort();
    await Promise.allSettled([gone, taken]);
  }
  needReader({ response });
}

/** Sends the last bytes of an answer, or all. A reader that takes nothing of them for long is cut off, as `drained` does it. */
export function endAnswer({ world: { clock }, response }: Sending, bytes?: Uint8Array): void {
  response.end(bytes);
  let left = response.writableLength;
  if (left === 0) return;
  const look = (): void => {
    if (response.writableLength >= left) return void response.destroy();
    left = response.writableLength;
    cancel = clock.after(STALLED_MS, look);
  };
  let cancel = clock.after(STALLED_MS, look);
  response.once("close", () => cancel());
}

/** Counts bytes of an answer for its reader until they have left. Throws SlowDown where more of theirs is unread than may be. */
export function countUnread(count: CountUnread, reader: string, response: ServerResponse, bytes: number): void {
  try {
    response.once("close", count(reader, bytes));
  } catch (error) {
    throw error instanceof AppError ? slowDown() : error;
  }
}
