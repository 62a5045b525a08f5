import { createGate } from "./gate.ts";

/** Runs a task of an owner when there is room for it among those of the same owner. Those of others do not wait for it. */
export type KeyedGate = <T>(key: string, task: () => Promise<T>) => Promise<T>;

/** Lets one task of each owner run at a time, or `max`; the rest of that owner wait in order. Nothing is kept of owners without any. */
export function createKeyedGate(max = 1): KeyedGate {
  const gates = new Map<string, { pass: ReturnType<typeof createGate>; count: number }>();
  return async (key, task) => {
    const own = gates.get(key) ?? { pass: createGate(max), count: 0 };
    gates.set(key, own);
    own.count += 1;
    try {
      return await own.pass(task);
    } finally {
      own.count -= 1;
      if (own.count === 0) gates.delete(key);
    }
  };
}
