import type { Admission } from "../../base.ts";
import { byOperator } from "../../event-meaning.ts";
import type { Needs } from "./needs.ts";
import { listTenantIds } from "./store.ts";

/** What was ended and what lets people in as before, as `3 invitations`; what there was none of is left out. */
export interface Outcome {
  ended: string[];
  left: string[];
}

type Deps = Pick<Needs, "system" | "lists" | "clock" | "bus">;

/** The names of what is ended only when it is asked for. */
export const askable = ({ lists }: Pick<Needs, "lists">): string[] =>
  lists.admissions.all().flatMap(({ asked }) => asked ?? []);

/**
 * Ends what an older database lets in again, also what is `asked` for by name, and writes it down in every workspace: all of it, or
 * nothing of it.
 */
export function endAdmissions({ system, lists, clock, bus }: Deps, asked: readonly string[]): Promise<Outcome> {
  return system.tx(async (tx) => {
    const now = clock.now();
    const outcome: Outcome = { ended: [], left: [] };
    const kinds: string[] = [];
    for (const one of lists.admissions.all()) {
      const count = await one.count(tx, now);
      const isEnded = one.end !== null && (one.asked === null || asked.includes(one.asked));
      if (isEnded) {
        await one.end?.(tx, now);
        kinds.push(one.words[1]);
      }
      if (count > 0) outcome[isEnded ? "ended" : "left"].push(tell(one, count));
    }
    for (const id of await listTenantIds(tx))
      await bus.emit(tx, "workspace.put_back", { by: byOperator(id), ended: kinds });
    return outcome;
  });
}

const tell = ({ words: [one, several] }: Admission, count: number): string => `${count} ${count === 1 ? one : several}`;
