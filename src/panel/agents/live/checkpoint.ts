import type { LiveTables } from "./journal-store.ts";
import type { Roster } from "./roster.ts";
import type { Statuses } from "./statuses.ts";
import type { Vitals } from "./vitals.ts";

/** Nodes written by one statement: longer ones would keep others waiting. */
const SLICE = 500;
const PAGE = 5_000;

export interface CheckpointDeps {
  tables: LiveTables;
  roster: Roster;
  vitals: Vitals;
  statuses: Statuses;
}

/** Writes down now and then what was measured, and reads it back. */
export function createCheckpoint({ tables, roster, vitals, statuses }: CheckpointDeps) {
  let changed = new Set<number>();

  return {
    /** Node `no` was heard. */
    mark: (no: number) => void changed.add(no),
    /** Writes the nodes that were heard since the last time, some at a time. */
    async write(): Promise<void> {
      const all = [...changed].sort((a, b) => a - b);
      changed = new Set();
      for (let from = 0; from < all.length; from += SLICE) {
        const slice = all.slice(from, from + SLICE);
        const rows = slice.flatMap((no) => {
          const facts = roster.at(no);
          return facts ? [{ no, tenant_id: facts.tenant_id, figures: vitals.read(no) }] : [];
        });
        try {
          await tables.checkpoint(rows);
        } catch (error) {
          for (const no of all.slice(from)) changed.add(no);
          throw error;
        }
      }
    },
    /** Reads back what was known of the nodes that there are; gives how many. */
    async read(): Promise<number> {
      let count = 0;
      let after = -1;
      while (true) {
        const rows = await tables.page(after, PAGE);
        for (const { no, figures, status, reasons } of rows) {
          const facts = roster.at(no);
          // It was deleted and has come back since: what was before is not its own.
          if (!facts || figures.last_seen < facts.registered_at) continue;
          vitals.restore(no, figures);
          statuses.restore(no, status, reasons);
          count += 1;
        }
        if (rows.length < PAGE) return count;
        after = rows.at(-1)?.no ?? after;
      }
    },
  };
}
