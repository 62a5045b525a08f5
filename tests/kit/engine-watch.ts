import type { OwnEngine } from "./own-engine.ts";
import { until } from "./until.ts";

/**
 * Waits until a container of that name is in that state. Asked of the engine itself: a program that asks takes longer to start than a
 * quick machine takes for a copy.
 */
export const untilState = (engine: OwnEngine, name: string, state: string): Promise<unknown> =>
  until(
    async () => {
      const answer = await fetch(`http://engine/containers/${name}/json`, { unix: engine.socket });
      const { State } = (await answer.json()) as { State?: { Status: string } };
      return State?.Status === state;
    },
    { timeoutMs: 30_000, everyMs: 2, what: `${name} to be ${state}` },
  );

/** Containers, networks and volumes that have a word in their names. */
export async function leftOf(engine: OwnEngine, word: string): Promise<string[]> {
  const lists = await Promise.all([
    engine.docker("ps", "-aq", "--filter", `name=${word}`),
    ...["network", "volume"].map((kind) => engine.docker(kind, "ls", "-q", "--filter", `name=${word}`)),
  ]);
  return lists.flatMap((list) => list.split("\n")).filter(Boolean);
}
