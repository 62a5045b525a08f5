import type { LiveTables } from "./journal-store.ts";
import type { OnsetsOfAll } from "./onsets.ts";
import type { Roster } from "./roster.ts";
import type { Statuses } from "./statuses.ts";
import type { Vitals } from "./vitals.ts";

const PAGE = 5_000;

export interface RestoreDeps {
  tables: LiveTables;
  roster: Roster;
  vitals: Vitals;
  statuses: Statuses;
  onsets: OnsetsOfAll;
}

/** Reads back what nodes were last answered to, of those that there are; gives how many. */
export async function restoreFigures({ tables, roster, vitals, statuses, onsets }: RestoreDeps): Promise<number> {
  let count = 0;
  let after = -1;
  while (true) {
    const rows = await tables.page(after, PAGE);
    for (const { no, figures, status, reasons, since } of rows) {
      const facts = roster.at(no);
      // It was deleted and has come back since: what was before is not its own.
      if (!facts || figures.last_seen < facts.registered_at) continue;
      vitals.restore(no, figures);
      statuses.restore(no, status, reasons);
      onsets.restore(no, since);
      count += 1;
    }
    if (rows.length < PAGE) return count;
    after = rows.at(-1)?.no ?? after;
  }
}
