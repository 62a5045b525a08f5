/** Who made what delivers to places outside: it goes on only while its maker may have it. */
import { RANK, type Role } from "./access.ts";
import type { NodeBase, NodeLists } from "./base.ts";

/** Something that delivers; `created_by` is the account that answers for it, null where none is on record. */
export interface Made {
  id: string;
  created_by: string | null;
}

type Asked = { lists: Pick<NodeLists, "roles"> };

/** The role that an account acts with at this moment; null for one that is switched off, leaving or gone. */
export function roleNow({ lists }: Asked, userId: string): Role | null {
  for (const roleOf of lists.roles.all()) {
    const role = roleOf(userId);
    if (role !== null) return role;
  }
  return null;
}

/** Whether it may deliver: its maker still has the role that it takes to make it. What has no maker on record belongs to the admins. */
export function mayDeliver(asked: Asked, { created_by }: Pick<Made, "created_by">, least: Role): boolean {
  if (created_by === null) return true;
  const role = roleNow(asked, created_by);
  return role !== null && RANK[role] >= RANK[least];
}

/** Whether a change may lead it to another receiver: whoever makes such a one answers for it from then on. */
export const sendsElsewhere = (change: { config?: unknown; secret?: unknown }): boolean =>
  change.config !== undefined || change.secret !== undefined;

/**
 * Calls `tell` for each thing that has just been paused because its maker may not have it any more, and anew for one that went on or
 * has another maker since. What is paused when this begins was told before.
 */
export function tellOfPauses<Thing extends Made>(
  { accessChanges }: Pick<NodeBase, "accessChanges">,
  paused: () => readonly Thing[],
  tell: (thing: Thing) => void,
): void {
  const makers = (things: readonly Thing[]) => new Map(things.map(({ id, created_by }) => [id, created_by]));
  let known = makers(paused());
  accessChanges.onChange(() => {
    const now = paused();
    for (const thing of now) if (known.get(thing.id) !== thing.created_by) tell(thing);
    known = makers(now);
  });
}
