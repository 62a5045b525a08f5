import type { AccessChanges } from "../kernel/http/access-changes.ts";
import type { Actor } from "./actor.ts";
import type { SystemTx } from "./data/tenant-db.ts";

/**
 * Tells what lasts, such as streams, that its reader may have lost what they were let in by. Only those whom it concerns are asked:
 * a panel has thousands of streams open.
 */
export interface AccessEnds {
  /** Grows with each. */
  epoch(): number;
  /** True while a transaction that ends something is not told of: those who waited for its rows go on a moment before that. */
  isUnderWay(): boolean;
  /** Once `tx` is committed: the account, the membership or the workspace with this id may have lost something. */
  ended(tx: Pick<SystemTx, "afterCommit" | "afterEnd">, id: string): void;
  /** What concerns one caller. */
  of(actor: Pick<Actor, "account_id" | "member_id" | "tenant_id">): Pick<AccessChanges, "onChange">;
  /** What concerns their membership alone: they may have another role now. */
  ofMember(actor: Pick<Actor, "member_id">): Pick<AccessChanges, "onChange">;
}

/** Makes what a panel tells such ends by. */
export function createAccessEnds(): AccessEnds {
  const listeners = new Map<string, Set<() => void>>();
  let count = 0;
  /** How many transactions are under way that end something. */
  let underWay = 0;

  function tell(id: string): void {
    count += 1;
    // What the end itself has to say to an open stream leaves first.
    setImmediate(() => {
      for (const listener of [...(listeners.get(id) ?? [])]) listener();
    });
  }

  function add(id: string, listener: () => void): void {
    const known = listeners.get(id);
    if (known) known.add(listener);
    else listeners.set(id, new Set([listener]));
  }

  function remove(id: string, listener: () => void): void {
    const known = listeners.get(id);
    known?.delete(listener);
    if (known?.size === 0) listeners.delete(id);
  }

  const of = (ids: readonly string[]): Pick<AccessChanges, "onChange"> => ({
    onChange(listener) {
      for (const id of ids) add(id, listener);
      return () => {
        for (const id of ids) remove(id, listener);
      };
    },
  });

  return {
    epoch: () => count,
    isUnderWay: () => underWay > 0,
    ended(tx, id) {
      underWay += 1;
      tx.afterCommit(() => tell(id));
      tx.afterEnd(() => {
        underWay -= 1;
      });
    },
    of: ({ account_id, member_id, tenant_id }) => of([account_id, member_id, tenant_id]),
    ofMember: ({ member_id }) => of([member_id]),
  };
}
