import type { CallOptions, Wire } from "./engine-wire.ts";

/** The engine's lists. Each costs as much as all labels of all images, which somebody else wrote. */
const LISTS = ["/containers/json", "/images/json", "/networks", "/volumes"];

/** One question that is under way, or waits for its turn. */
interface Look {
  /** Which state of the engine it shows at least; null for one that has not begun, and will show whatever has happened by then. */
  since: number | null;
  answer: Promise<unknown>;
}

async function* afterEach(stream: AsyncIterable<Uint8Array>, done: () => void): AsyncIterable<Uint8Array> {
  try {
    for await (const piece of stream) {
      done();
      yield piece;
    }
  } finally {
    done();
  }
}

/**
 * The wire with one look at each list at a time, which all share who ask for the same meanwhile. Nobody is answered what was true before
 * they asked: whoever knows of a change that came after the look began, by its own hand or by the engine's events, shares the next one.
 * Answers of lists belong to several, and are never changed.
 */
export function shareLooks(wire: Wire): Wire {
  const looks = new Map<string, Look>();
  let state = 0;
  const changed = () => {
    state += 1;
  };

  function look(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const current = looks.get(key);
    if (current !== undefined && (current.since ?? state) === state) return current.answer;
    const begin = () => {
      mine.since = state;
      return ask();
    };
    const turn = current?.answer ?? Promise.resolve();
    const mine: Look = { since: null, answer: turn.then(begin, begin) };
    looks.set(key, mine);
    const forget = () => {
      if (looks.get(key) === mine) looks.delete(key);
    };
    mine.answer.then(forget, forget);
    return mine.answer;
  }

  return {
    async call<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
      if (method === "GET" && LISTS.includes(path)) {
        const key = JSON.stringify([path, options.query]);
        return look(key, () => wire.call<T>(method, path, options)) as Promise<T>;
      }
      try {
        return await wire.call<T>(method, path, options);
      } finally {
        if (method !== "GET") changed();
      }
    },
    async open(method, path, options) {
      const stream = await wire.open(method, path, options);
      return method === "GET" && path !== "/events" ? stream : afterEach(stream, changed);
    },
  };
}
