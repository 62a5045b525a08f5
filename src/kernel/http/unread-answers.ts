import { createBodyBudget } from "./body-budget.ts";
import { pulledBody } from "./pulled-body.ts";

/** Bytes of large answers that one reader may leave unread, and all together. */
const UNREAD_BYTES = { each: 32 * 1_048_576, all: 256 * 1_048_576 };
/** What is given to the runtime at a time; it asks for the next piece once this one has left. */
const PIECE_BYTES = 65_536;
/** An answer of which a piece holds all is never waited for. */
export const LARGE_BYTES = PIECE_BYTES;

/** Whom an answer is for: an account as a program tells them apart, or the networks of a stranger, the widest first. */
export interface Reader {
  isStranger: boolean;
  path: readonly string[];
}
const readers = new WeakMap<Request, () => Reader>();
const NOBODY: Reader = { isStranger: true, path: [] };

/** Says for whom the answer of a request is counted; asked only where it is large or lasts. */
export const readBy = (request: Request, reader: () => Reader): unknown => readers.set(request, reader);

/** For whom it is counted. */
export const readerOf = (request: Request): Reader => readers.get(request)?.() ?? NOBODY;

/** The same in a word. */
const nameOf = ({ isStranger, path }: Reader): string => [isStranger ? "" : "account", ...path].join("\n");

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
    pulledBody(request, inPieces(bytes), count(nameOf(readerOf(request)), bytes.length));
}

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
