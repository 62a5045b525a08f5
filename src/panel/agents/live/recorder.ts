import type { Report } from "./facts.ts";
import type { Entry } from "./journal-store.ts";
import type { OnsetsOfAll } from "./onsets.ts";
import type { NodeFacts, Transition } from "./port.ts";
import type { Roster } from "./roster.ts";
import type { Statuses } from "./statuses.ts";
import type { Vitals } from "./vitals.ts";

export interface RecorderDeps {
  /** Resolves once the entry is on disk. */
  write: (entry: Entry) => Promise<void>;
  roster: Roster;
  vitals: Vitals;
  statuses: Statuses;
  onsets: OnsetsOfAll;
}

/** Makes changes of nodes durable, one after another for each node, and only then true for everybody. */
export function createRecorder({ write, roster, vitals, statuses, onsets }: RecorderDeps) {
  const writing = new Map<number, Promise<void>>();

  /** Brings memory in step with what is on disk now; the node may have changed or gone meanwhile. */
  function follow({ no, id }: NodeFacts, report: Report | null, transition: Transition | null): void {
    const latest = roster.find(id);
    if (latest?.no !== no) return;
    if (report) {
      const facts = report.apply(latest);
      roster.put(facts);
      vitals.admit(facts);
    }
    if (!transition) return;
    statuses.take(transition);
    roster.tell(transition.tenant_id, { kind: "status", transition });
  }

  return {
    isBusy: (no: number): boolean => writing.has(no),
    /** Resolves when what is being written about the node is, or failed; that is told to whoever asked for it. */
    idle: async (no: number): Promise<void> => writing.get(no)?.catch(() => {}),
    /** Resolves when nothing about any node is being written. */
    async settled(): Promise<void> {
      while (writing.size > 0) await Promise.allSettled(writing.values());
    },
    /** Writes down how a node that is idle stands, and what changed about it; true for everybody once it resolves. Throws when it cannot. */
    async record(told: NodeFacts, report: Report | null, transition: Transition | null): Promise<void> {
      const { no, tenant_id } = told;
      const node = { no, tenant_id, figures: vitals.read(no), since: onsets.of(no) };
      const work = write({ node, fresh: report?.fresh ?? null, transition });
      writing.set(no, work);
      try {
        await work;
        follow(told, report, transition);
      } finally {
        writing.delete(no);
      }
    },
  };
}

export type Recorder = ReturnType<typeof createRecorder>;
