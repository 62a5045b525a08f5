import { kernelFail } from "../../kernel/http/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { SqlDb, Tx } from "../../kernel/sql/port.ts";
import { type Clock, toIso } from "../../lib/clock.ts";
import { seconds } from "../../lib/duration.ts";

/** The right to be the one panel over a database. */
export interface Lease {
  /** False while another panel may have taken over: nothing may be acknowledged then. */
  isHeld(): boolean;
  /** The database, in which nothing is changed once another panel took over. Throws `unavailable` then. */
  over(db: SqlDb): SqlDb;
  /** Resolves when another panel took over: this one has to end. */
  readonly lost: Promise<void>;
  /** Gives it back, so that the next panel need not wait. */
  release(): Promise<void>;
}

/** Who takes the lease, and with what. */
export interface LeaseDeps {
  db: SqlDb;
  clock: Clock;
  log: Log;
  /** Another one for each start. */
  holder: string;
  /** For people: where the panel runs. */
  owner: string;
}

interface Row {
  holder: string;
  owner: string;
  beats: number;
  since: string;
}

/** A panel that has not said for so long that it is there has lost its right. */
export const LEASE_MS = seconds(6);
const BEAT_MS = seconds(1.5);
const LOOK_MS = 500;
/** Any number, the same in every panel: of several that make the table at once, one does. */
const LOCK = 7_236_102;
/** Every change holds it together with all others, whoever takes over holds it alone. */
const FENCE = 7_236_103;
const LOST = "Another panel took over the database, so nothing was done. Try again in a moment.";
const TABLE = `CREATE TABLE IF NOT EXISTS panel_lease (
  one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, owner TEXT NOT NULL, beats INTEGER NOT NULL,
  since TEXT NOT NULL) STRICT;`;
const READ = "SELECT holder, owner, beats, since FROM panel_lease WHERE one = 1";

/** For a database that only one process can open. */
export const ALONE: Lease = {
  isHeld: () => true,
  over: (db) => db,
  lost: new Promise(() => {}),
  release: async () => {},
};

/**
 * Makes this the one panel over a PostgreSQL database, until `release`; a SQLite file is guarded by the lock of its folder. A panel that
 * died leaves its lease behind: it is taken over once it has not been renewed for six seconds of our own time, so that no two
 * clocks are compared. Throws an Error when another panel is there.
 */
export async function takeLease(deps: LeaseDeps): Promise<Lease> {
  if (deps.db.engine === "sqlite") return ALONE;
  await deps.db.tx(makeTable);
  const begun = deps.clock.monotonic();
  const isFree = await claimFree(deps);
  const since = isFree ? begun : await waitFor(deps, await readRow(deps.db));
  await deps.db.tx(endChanges);
  return hold(deps, since);
}

/**
 * Ends what a panel before this one still changes, and waits until it is over: what it begins from now on finds the lease gone. A panel
 * that stands still would hold rows for as long as it does.
 */
async function endChanges(tx: Tx): Promise<void> {
  await tx.all(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = ? AND objsubid = 1
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [FENCE],
  );
  await tx.get("SELECT pg_advisory_xact_lock(?)", [FENCE]);
}

async function makeTable(tx: Tx): Promise<void> {
  await tx.get("SELECT pg_advisory_xact_lock(?)", [LOCK]);
  await tx.script(TABLE);
}

const readRow = (db: SqlDb): Promise<Row | null> => db.get<Row>(READ);

async function claimFree({ db, clock, holder, owner }: LeaseDeps): Promise<boolean> {
  const sql = `INSERT INTO panel_lease (one, holder, owner, beats, since) VALUES (1, ?, ?, 0, ?)
    ON CONFLICT (one) DO NOTHING`;
  return (await db.run(sql, [holder, owner, toIso(clock.now())])) === 1;
}

async function claimLeft({ db, clock, holder, owner }: LeaseDeps, left: Row): Promise<boolean> {
  const sql = `UPDATE panel_lease SET holder = ?, owner = ?, beats = 0, since = ?
    WHERE one = 1 AND holder = ? AND beats = ?`;
  return (await db.run(sql, [holder, owner, toIso(clock.now()), left.holder, left.beats])) === 1;
}

const isSame = (a: Row, b: Row): boolean => a.holder === b.holder && a.beats === b.beats;

/** Looks whether whoever has the lease is alive; takes it over when nobody is, and gives the moment before. */
async function waitFor(deps: LeaseDeps, first: Row | null): Promise<number> {
  const { db, clock, log } = deps;
  if (first) log.warn("another panel used this database and did not give it back: waiting", { ...first });
  const until = clock.monotonic() + LEASE_MS;
  while (true) {
    await clock.sleep(LOOK_MS);
    const now = clock.monotonic();
    const row = await readRow(db);
    if (!row && (await claimFree(deps))) return now;
    if (!row || !first || !isSame(row, first)) throw taken(row ?? first);
    if (now <= until) continue;
    if (await claimLeft(deps, first)) return now;
    throw taken(await readRow(db));
  }
}

function taken(row: Row | null): Error {
  const who = row ? `${row.owner}, since ${row.since}` : "one that started at the same moment";
  return new Error(
    `another panel uses this database (${who}). Two panels on one database do not work: each would know only the nodes of its own. ` +
      "Stop the other one first, or give this one a database of its own in CP_DATABASE_URL",
  );
}

function hold({ db, clock, log, holder }: LeaseDeps, begun: number): Lease {
  let renewedAt = begun;
  let isOver = false;
  let lose = () => {};
  const lost = new Promise<void>((resolve) => {
    lose = resolve;
  });

  async function beat(): Promise<void> {
    // The moment before it was asked for: whoever looks at the lease sees it no earlier.
    const at = clock.monotonic();
    try {
      const sql = "UPDATE panel_lease SET beats = beats + 1 WHERE one = 1 AND holder = ?";
      if ((await db.run(sql, [holder])) === 1) renewedAt = at;
      else if (!isOver) end();
    } catch (error) {
      log.error("the right to this database could not be renewed", { error });
    }
  }

  function end(): void {
    isOver = true;
    stop();
    log.error("another panel took over this database: this one ends", {});
    lose();
  }

  const stop = clock.every(BEAT_MS, () => void beat());
  return {
    isHeld: () => !isOver && clock.monotonic() - renewedAt < LEASE_MS,
    over: (of) =>
      of.guarded({
        statements: [
          { sql: "SELECT pg_advisory_xact_lock_shared(?)", values: [FENCE] },
          { sql: "SELECT 1 AS one FROM panel_lease WHERE one = 1 AND holder = ?", values: [holder] },
        ],
        refusal: () => kernelFail("unavailable", { reason: LOST }),
      }),
    lost,
    async release() {
      stop();
      isOver = true;
      await db.run("DELETE FROM panel_lease WHERE one = 1 AND holder = ?", [holder]);
    },
  };
}
