import type { SystemDb } from "../../src/panel/data/tenant-db.ts";

/** An answer of the database that is on its way. */
interface Held {
  /** Resolves when the database has given it: what was asked is read, or committed. */
  given: Promise<void>;
  /** Lets it arrive. */
  arrive(): void;
}

/** Of a question, or to a commit. */
type Kind = "get" | "tx";

/** The same database, of which single answers arrive late: the next one of its kind after `hold`. */
export function slowAnswers(db: SystemDb): { system: SystemDb; hold(kind: Kind): Held } {
  let next: { kind: Kind; give(): void; arrival: Promise<void> } | null = null;

  /** Takes the hold, if there is one of the kind, for one answer. */
  function taken(kind: Kind): () => Promise<void> {
    const held = next?.kind === kind ? next : null;
    if (held) next = null;
    return async () => {
      held?.give();
      await held?.arrival;
    };
  }

  const system: SystemDb = {
    ...db,
    async get<Row>(...asked: Parameters<SystemDb["get"]>) {
      const arrival = taken("get");
      const row = await db.get<Row>(...asked);
      await arrival();
      return row;
    },
    async tx(fn) {
      const arrival = taken("tx");
      const told: (() => void)[] = [];
      const ends: (() => void)[] = [];
      const afterCommit = (effect: () => void) => void told.push(effect);
      const afterEnd = (effect: () => void) => void ends.push(effect);
      const done = await db.tx((tx) => fn({ ...tx, afterCommit, afterEnd }));
      await arrival();
      for (const effect of [...told, ...ends]) effect();
      return done;
    },
  };
  return {
    system,
    hold(kind) {
      const [given, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      next = { kind, give: given.resolve, arrival: arrived.promise };
      return { given: given.promise, arrive: arrived.resolve };
    },
  };
}
