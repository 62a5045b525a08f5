import { isLongSince, toIso } from "../../../lib/clock.ts";
import { hours } from "../../../lib/duration.ts";
import type { OperationHandle } from "../../platform/operations/index.ts";
import type { CheckedShare, EngineSession } from "../engine/index.ts";
import { nameDamage } from "./damage-words.ts";
import { explain, type Failure } from "./failures.ts";
import type { Own } from "./needs.ts";
import { type Aside, runAside } from "./one-at-a-time.ts";
import { listPlans } from "./plan-store.ts";
import * as store from "./store.ts";
import { getTarget, openTarget } from "./targets.ts";
import { giveBack, ownHolder } from "./wait-for-target.ts";

/** In so many nights all that lies at a target is read. */
const SHARES = 7;
/** Later than yesterday's, and never twice in a night. */
const EVERY_MS = hours(20);
/** The hour of the day, in the server's zone, at which nights end. */
const MORNING = 6;
const STEP = "share";

/** Files are named of so many of the newest backups that are hit: older ones mostly share what is damaged. */
const MOST_NAMED = 10;
const DAMAGE = "Some of it lies in a file of the target that is not what it was.";

/** Marks backups as damaged, and says of the newest ones which files of them are. */
async function record(
  own: Own,
  session: EngineSession,
  { affected, damaged }: CheckedShare,
  op: OperationHandle,
): Promise<void> {
  const known = affected.filter((id) => store.findBackup(own.db, id) !== null);
  const words = new Map<string, string>();
  for (const id of known.slice(-MOST_NAMED)) {
    // What describes the backup may be damaged itself.
    const named = await nameDamage(own, session, id, damaged, op).catch(() => null);
    if (named !== null) words.set(id, named);
  }
  const at = toIso(own.clock.now());
  own.db.tx(() => {
    for (const id of known) {
      const damage = words.get(id) ?? DAMAGE;
      store.markVerified(own.db, id, at, damage);
      own.bus.emit("backup.verified", { backup_id: id, damage });
    }
  });
}

/** Lets the next backup store anew what lies in damaged files. One that another server writes to has its turn the next time. */
async function distrust(own: Own, target: string, damaged: string[], signal: AbortSignal): Promise<void> {
  const session = await openTarget(own, target, ownHolder(own), "aside", signal);
  try {
    await session.distrust(damaged);
  } finally {
    await giveBack(own, session);
  }
}

/**
 * Reads the share of a target whose turn it is; what it says of damage, null where there is none. Damage that was found is written down
 * whatever comes next; what gives way after that has its turn again, so that nothing new relies on it.
 */
async function checkTarget(
  own: Own,
  { id: target, share }: { id: string; share: number },
  op: OperationHandle,
  { signal, stay }: Aside,
): Promise<Failure | null> {
  const session = await openTarget(own, target, null, "aside", signal);
  try {
    const found = await session.checkShare(share, SHARES);
    await record(own, session, found, op);
    if (found.damaged.length === 0) return null;
    session.end();
    await distrust(own, target, found.damaged, signal);
    stay();
    const count = found.affected.length === 1 ? "One backup needs" : `${found.affected.length} backups need`;
    const message = `${found.damaged.length} of ${found.packs} files are damaged. ${count} them. The next backup stores anew what is still on this server.`;
    return { code: "backup_damaged", message, next_step: "Back up now, then look at that disk or server." };
  } finally {
    session.end();
  }
}

/** Whether it is the time of day at which nobody waits for the server. */
export const isNight = ({ clock }: Pick<Own, "clock">): boolean => new Date(clock.now()).getHours() < MORNING;

/** At night: begins to read a share of the target that waits longest for it. True where it begins. */
export function beginShare(own: Own): boolean {
  const now = own.clock.now();
  if (!isNight(own)) return false;
  const planned = new Set(listPlans(own.db).flatMap(({ target, enabled }) => (enabled === 1 ? [target] : [])));
  const turn = store
    .listShares(own.db)
    .filter(({ id, checked_at }) => planned.has(id) && isLongSince(own.clock, checked_at, EVERY_MS))
    .toSorted((left, right) => left.checked_at - right.checked_at)[0];
  if (turn === undefined) return false;
  // One whose target is away has its turn the next night.
  own.db.tx(() => store.markShare(own.db, turn.id, now, (turn.share + 1) % SHARES));
  const op = own.operations.begin({
    kind: "backup.check",
    subject_id: turn.id,
    title: `Read a seventh of ${getTarget(own, turn.id).name}`,
    steps: [{ step: STEP, title: "Compare files with their sums" }],
    by: null,
  });
  const task = async (aside: Aside) => {
    op.step(STEP, "running");
    const failure = await checkTarget(own, turn, op, aside).catch(explain);
    op.step(STEP, failure === null ? "done" : "failed");
    return failure;
  };
  const later = () => own.db.tx(() => store.markShare(own.db, turn.id, turn.checked_at, turn.share));
  runAside(own, op, { task, later });
  return true;
}
