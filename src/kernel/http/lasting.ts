import { sha256Hex } from "../../lib/digest.ts";
import { isStillAllowed } from "./access.ts";
import type { AccessChanges } from "./access-changes.ts";

/** An answer that lasts, as far as it depends on what let its reader in. */
export interface Lasting {
  /** Asks now, whatever changed: what lets somebody in may also run out by itself. */
  askNow(): void;
  /**
   * Whether what happens may still be told: undefined where nothing changed since the reader was asked, else it resolves when it was their
   * turn, false where they may not hear it.
   */
  mayHear(): Promise<boolean> | undefined;
  stop(): void;
}

/** Requests that are asked anew in one turn of the event loop: some milliseconds. */
const PER_TURN = 32;

/** Whoever waits to be asked anew. In the order in which they came; one who comes again while they wait keeps their place. */
const waiting = new Set<() => void>();
/** What was answered since the last change. Those who brought the same with the same request are asked as one. */
const answers = new Map<string, Promise<boolean>>();

function askSome(): void {
  let count = 0;
  for (const ask of waiting) {
    if (count === PER_TURN) break;
    waiting.delete(ask);
    ask();
    count += 1;
  }
  if (waiting.size > 0) setImmediate(askSome);
  else answers.clear();
}

function askInTurn(ask: () => void): void {
  answers.clear();
  waiting.add(ask);
  if (waiting.size === 1) setImmediate(askSome);
}

/** The same for all requests that bring the same to the same address. */
const sameness = ({ method, url, headers }: Request): string => sha256Hex(JSON.stringify([method, url, ...headers]));

function askAsOne(request: Request): Promise<boolean> {
  const same = sameness(request);
  const known = answers.get(same);
  if (known) return known;
  const answer = isStillAllowed(request);
  if (waiting.size > 0) answers.set(same, answer);
  return answer;
}

/**
 * Watches over an answer that lasts. After each change all that last are asked anew, some in each turn of the event loop, so that
 * thousands of them hold up nobody; what happens meanwhile waits until its reader was asked. `end` is called once they may not have it.
 */
export function createLasting(
  request: Request,
  accessChanges: Pick<AccessChanges, "onChange"> | undefined,
  end: () => void,
): Lasting {
  let changes = 0;
  let asked = 0;
  /** Resolves when all changes so far were asked about. */
  let asking: PromiseWithResolvers<boolean> | null = null;

  async function ask(answer: (request: Request) => Promise<boolean>): Promise<void> {
    const before = changes;
    const isAllowed = await answer(request);
    asked = Math.max(asked, before);
    if (!isAllowed) end();
    if (isAllowed && asked < changes) return;
    asking?.resolve(isAllowed);
    asking = null;
  }
  const askTogether = () => void ask(askAsOne);

  const stopListening = accessChanges?.onChange(() => {
    changes += 1;
    askInTurn(askTogether);
  });

  return {
    askNow: () => void ask(isStillAllowed),
    mayHear() {
      if (asked === changes) return undefined;
      asking ??= Promise.withResolvers<boolean>();
      return asking.promise;
    },
    stop() {
      stopListening?.();
      waiting.delete(askTogether);
      asking?.resolve(false);
      asking = null;
    },
  };
}
