import { beforeAll, expect, test } from "bun:test";
import { freshDatabases, onEachEngine } from "../../../tests/kit/sql-databases.ts";
import { migrateSqlDb } from "./migrate.ts";
import type { SqlDb } from "./port.ts";
import { numberPlaceholders } from "./postgres-dialect.ts";

const TABLE = `CREATE TABLE things (
  id TEXT PRIMARY KEY,
  amount INTEGER NOT NULL,
  share REAL,
  data BLOB
) STRICT;
CREATE INDEX things_by_amount ON things (amount);`;

const insert = "INSERT INTO things (id, amount, share, data) VALUES (?, ?, ?, ?)";

/** Why a promise failed; empty when it did not. The matcher `rejects` would keep a thread's answers from coming in. */
const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "",
    (error: unknown) => String(error),
  );

onEachEngine("storage port", (engine) => {
  const databases = freshDatabases(engine);
  let db: SqlDb;
  beforeAll(async () => {
    db = await databases.open();
    await db.tx((tx) => tx.script(TABLE));
  });

  test("values come back as they went in", async () => {
    const values = ["é?'", 2 ** 52 + 1, 0.5, new Uint8Array([0, 255])] as const;
    expect(await db.run(insert, values)).toBe(1);
    const row = await db.get<{ id: string; amount: number; share: number; data: Uint8Array }>(
      "SELECT * FROM things WHERE id = ? AND amount = ?",
      [values[0], values[1]],
    );
    expect({ ...row, data: [...(row?.data ?? [])] }).toEqual({
      id: "é?'",
      amount: 2 ** 52 + 1,
      share: 0.5,
      data: [0, 255],
    });
    expect(await db.get("SELECT count(*) AS count, sum(amount) AS none FROM things WHERE id = ?", ["none"])).toEqual({
      count: 0,
      none: null,
    });
    expect(await db.get("SELECT 1 AS one FROM things WHERE id = ?", ["none"])).toBeNull();
  });

  test("a text with a NUL is kept, and found again", async () => {
    await db.run(insert, ["nul a\u0000b", 1, null, null]);
    const row = await db.get<{ id: string }>("SELECT id FROM things WHERE id = ?", ["nul a\u0000b"]);
    expect(row?.id.replace("\uFFFD", "\u0000")).toBe("nul a\u0000b");
  });

  if (engine === "sqlite")
    test("a full disk keeps its code on the way through the thread", async () => {
      const full = await databases.open();
      await full.tx((tx) => tx.script(TABLE));
      await full.tx((tx) => tx.all("PRAGMA max_page_count = 1"));
      const failure = await full
        .run(insert, ["big", 1, null, new Uint8Array(100_000)])
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "SQLITE_FULL" });
    });

  test("text sorts by its bytes", async () => {
    for (const id of ["s_b", "s_B", "s_a", "s_ä", "s__"]) await db.run(insert, [id, 1, null, null]);
    const rows = await db.all<{ id: string }>("SELECT id FROM things WHERE id >= ? AND id < ? ORDER BY id", [
      "s_",
      "t",
    ]);
    expect(rows.map(({ id }) => id)).toEqual(["s_B", "s__", "s_a", "s_b", "s_ä"]);
  });

  test("a failed transaction leaves nothing and drops its effects", async () => {
    let effects = 0;
    const work = db.tx(async (tx) => {
      await tx.run(insert, ["rolled-back", 1, null, null]);
      tx.afterCommit(() => void effects++);
      throw new Error("on purpose");
    });
    expect(await failureOf(work)).toContain("on purpose");
    expect(await db.get("SELECT 1 AS one FROM things WHERE id = ?", ["rolled-back"])).toBeNull();
    expect(effects).toBe(0);
    await db.tx(async (tx) => {
      tx.afterCommit(() => void effects++);
      expect(effects).toBe(0);
    });
    expect(effects).toBe(1);
  });

  test("nothing slips into a transaction that waits", async () => {
    await db.run(insert, ["counter", 0, null, null]);
    const add = () =>
      db.tx(async (tx) => {
        // The change that comes first holds the row until the commit, on either engine.
        await tx.run("UPDATE things SET amount = amount WHERE id = ?", ["counter"]);
        const row = await tx.get<{ amount: number }>("SELECT amount FROM things WHERE id = ?", ["counter"]);
        await Bun.sleep(0);
        await tx.run("UPDATE things SET amount = ? WHERE id = ?", [(row?.amount ?? 0) + 1, "counter"]);
      });
    const failing = db
      .tx(async (tx) => {
        await tx.run("UPDATE things SET amount = 1000 WHERE id = ?", ["counter"]);
        await Bun.sleep(1);
        throw new Error("on purpose");
      })
      .catch(() => {});
    const lone = db.run(insert, ["lone", 1, null, null]);
    await Promise.all([failing, lone, ...Array.from({ length: 25 }, add)]);
    expect(await db.get("SELECT amount FROM things WHERE id = ?", ["counter"])).toEqual({ amount: 25 });
    expect(await db.get("SELECT id FROM things WHERE id = ?", ["lone"])).toEqual({ id: "lone" });
  });

  test("outside statements are refused inside a transaction", async () => {
    expect(await failureOf(db.tx(() => db.get("SELECT 1 AS one")))).toContain("only its own statements");
    expect(await failureOf(db.tx(() => db.tx(async () => 1)))).toContain("only its own statements");
    expect(await db.get("SELECT 1 AS one")).toEqual({ one: 1 });
  });

  test("a wrong statement is an error that leaves the database usable", async () => {
    await db.run(insert, ["taken", 1, null, null]);
    expect(await failureOf(db.run("INSERT INTO nowhere VALUES (1)"))).not.toBe("");
    expect(await failureOf(db.run(insert, ["taken", 1, null, null]))).not.toBe("");
    expect(await db.get("SELECT id FROM things WHERE id = ?", ["taken"])).toEqual({ id: "taken" });
  });

  test("INSERT … RETURNING inside a transaction", async () => {
    const row = await db.tx((tx) =>
      tx.get("INSERT INTO things (id, amount) VALUES (?, ?) ON CONFLICT (id) DO NOTHING RETURNING id", ["new", 1]),
    );
    expect(row).toEqual({ id: "new" });
  });
});

onEachEngine("migrations", (engine) => {
  const databases = freshDatabases(engine);
  const first = { feature: "things", number: 1, sql: TABLE };
  const second = { feature: "things", number: 2, sql: "ALTER TABLE things ADD COLUMN note TEXT;" };
  const nothing = async () => {};

  test("run once, all or nothing, after a snapshot", async () => {
    const db = await databases.open();
    let snapshots = 0;
    const migrate = (items: (typeof first)[]) =>
      migrateSqlDb(db, items, "2026-01-01T00:00:00.000Z", async () => void snapshots++, nothing);
    expect(await migrate([first])).toBe(1);
    expect(snapshots).toBe(0);
    expect(await migrate([first])).toBe(0);
    const broken = { feature: "things", number: 3, sql: "CREATE TABLE things (id TEXT) STRICT;" };
    expect(await failureOf(migrate([first, second, broken]))).toContain("nothing was changed");
    expect(snapshots).toBe(1);
    expect(await failureOf(db.get("SELECT note FROM things"))).not.toBe("");
    expect(await migrate([first, second])).toBe(1);
    expect(await db.get("SELECT note FROM things")).toBeNull();
    expect(await failureOf(migrate([first]))).toContain("newer version");
    expect(await failureOf(migrate([{ ...first, sql: `${TABLE} ` }, second]))).toContain("edited after release");
  });

  test("several programs that start together migrate once", async () => {
    const db = await databases.open();
    const ran = await Promise.all(
      Array.from({ length: 4 }, () => migrateSqlDb(db, [first, second], "2026-01-01T00:00:00.000Z", nothing, nothing)),
    );
    expect(ran.reduce((sum, count) => sum + count, 0)).toBe(2);
  });
});

test("placeholders are numbered, quoted ones are text", () => {
  expect(numberPlaceholders(`SELECT '?''?', "a?" FROM t WHERE a = ? AND b = ?`)).toBe(
    `SELECT '?''?', "a?" FROM t WHERE a = $1 AND b = $2`,
  );
});
