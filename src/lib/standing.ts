import { AsyncLocalStorage } from "node:async_hooks";

/** What somebody was let in by, which may end while what they asked for is under way. */
export interface Standing {
  /** Grows when anybody's may have ended. */
  epoch(): number;
  /** Throws the refusal where theirs has. */
  ask(): void;
}

interface Errand {
  /** Null once it is answered: what goes on then does so by itself. */
  standing: Standing | null;
  /** The epoch in which it was asked last. */
  asked: number;
}

/** Whose errand the code is on that runs now, through everything that it waits for. */
const errands = new AsyncLocalStorage<Errand | undefined>();

/** Answers somebody who was let in when the epoch was `since`: until it is answered, nothing changes for them once their standing has ended. */
export async function whileAnswering<T>(standing: Standing, since: number, answer: () => T | Promise<T>): Promise<T> {
  const errand: Errand = { standing, asked: since };
  try {
    return await errands.run(errand, answer);
  } finally {
    errand.standing = null;
  }
}

/** Makes a change for whoever is being answered, if anybody is. Throws the refusal instead where their standing has ended. */
export function whileStanding<T>(change: () => T): T {
  const errand = errands.getStore();
  const standing = errand?.standing;
  if (!errand || !standing) return change();
  if (standing.epoch() !== errand.asked) errands.run(undefined, standing.ask);
  const changed = change();
  // What they end themselves, as somebody does who leaves, keeps them from nothing that belongs to it.
  errand.asked = standing.epoch();
  return changed;
}

/** Does what is nobody's errand, whoever it begins with: what many share, what happens later, what is written down of what was done. */
export const onNobodysErrand = <T>(work: () => T): T => errands.run(undefined, work);

/** The same work for whoever is being answered now, whoever it is begun by. */
export const bindErrand = <T>(work: () => T): (() => T) => AsyncLocalStorage.bind(work);
