import type { SystemDb } from "../../src/panel/data/tenant-db.ts";

/** An answer of the database that is on its way. */
interface Held {
  /** Resolves when the database has given it: what was asked is read, or committed. */
  given: Promise<void>;
  /** Lets it arrive. */
  arrive(): void;
}

/** The same database, of which single answers arrive late. */
export function slowAnswers(db: SystemDb): { system: SystemDb; hold(): Held } {
  let next: { give(): void; arrival: Promise<void> } | null = null;

  /** Takes the hold, if there is one, for one answer. */
  function taken(): () => Promise<void> {
    const held = next;
    next = null;
    return async () => {
      held?.give();
      await held?.arrival;
    };
  }

  const system: SystemDb = {
    ...db,
    async get<Row>(...asked: Parameters<SystemDb["get"]>) {
      const arrival = taken();
      const row = await db.get<Row>(...asked);
      await arrival();
      return row;
    },
    async tx(fn) {
      const arrival = taken();
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
    hold() {
      const [given, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      next = { give: given.resolve, arrival: arrived.promise };
      return { given: given.promise, arrive: arrived.resolve };
    },
  };
}
