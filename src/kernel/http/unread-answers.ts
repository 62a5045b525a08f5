import { createBodyBudget } from "./body-budget.ts";
import { pulledBody } from "./pulled-body.ts";

/** Bytes of large answers that one reader may leave unread, and all together. */
const UNREAD_BYTES = { each: 32 * 1_048_576, all: 256 * 1_048_576 };
/** What is given to the runtime at a time; it asks for the next piece once this one has left. */
const PIECE_BYTES = 65_536;
/** An answer of which a piece holds all is never waited for. */
export const LARGE_BYTES = PIECE_BYTES;

const readers = new WeakMap<Request, () => string>();

/** Says for whom the answer of a request is counted; asked only where it is large. */
export const readBy = (request: Request, reader: () => string): unknown => readers.set(request, reader);

/** For whom it is counted; nothing for requests of nobody that is known. */
export const readerOf = (request: Request): string => readers.get(request)?.() ?? "";

/** Counts bytes of an answer for its reader until what it returns is called. Throws `too_many_requests` and `unavailable`. */
export type CountUnread = (reader: string, bytes: number) => () => void;

/**
 * Counts what large answers hold of the memory: the runtime keeps an answer for as long as somebody reads a byte of it now and then.
 */
export function createUnreadBudget(): CountUnread {
  const budget = createBodyBudget(UNREAD_BYTES);
  return (reader, bytes) => {
    const gone = Promise.withResolvers<void>();
    let refusal: unknown;
    void budget(reader, async (take) => {
      try {
        take(bytes);
      } catch (error) {
        refusal = error;
        return;
      }
      await gone.promise;
    });
    if (refusal !== undefined) throw refusal;
    return gone.resolve;
  };
}

/**
 * Makes bodies of large answers, which count for their readers until they have left. Throws `too_many_requests` and `unavailable` where
 * more is unread than may be.
 */
export function createUnreadAnswers() {
  const count = createUnreadBudget();
  return (request: Request, bytes: Uint8Array): ReadableStream<Uint8Array> =>
    pulledBody(inPieces(bytes), count(readerOf(request), bytes.length));
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
